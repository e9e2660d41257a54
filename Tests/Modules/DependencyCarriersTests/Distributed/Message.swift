import Distributed
import Foundation
import Synchronization

/// A call in transit: its receiver, its arguments, and the values that travel with it.
struct Message: Codable, DistributedTargetInvocationEncoder {
  typealias SerializationRequirement = any Codable

  var actor = ""
  var target = ""
  var arguments: [Data] = []
  var baggage: String?

  mutating func recordGenericSubstitution<T>(_ type: T.Type) throws {}

  mutating func recordArgument<Value: Codable>(_ argument: RemoteCallArgument<Value>) throws {
    arguments.append(try JSONEncoder().encode(argument.value))
  }

  mutating func recordReturnType<R: Codable>(_ type: R.Type) throws {}
  mutating func recordErrorType<E: Error>(_ type: E.Type) throws {}
  mutating func doneRecording() throws {}
}

struct MessageDecoder: DistributedTargetInvocationDecoder {
  typealias SerializationRequirement = any Codable

  struct NoArgument: Error {}

  let system: MessageSystem
  var arguments: [Data]

  mutating func decodeGenericSubstitutions() throws -> [any Any.Type] { [] }

  mutating func decodeNextArgument<Argument: Codable>() throws -> Argument {
    if arguments.isEmpty { throw NoArgument() }
    let decoder = JSONDecoder()
    // For arguments that are distributed actors.
    decoder.userInfo[.actorSystemKey] = system
    return try decoder.decode(Argument.self, from: arguments.removeFirst())
  }

  mutating func decodeErrorType() throws -> (any Any.Type)? { nil }
  mutating func decodeReturnType() throws -> (any Any.Type)? { nil }
}

final class ReplyHandler: DistributedTargetInvocationResultHandler, Sendable {
  typealias SerializationRequirement = any Codable

  /// `nil` after an error.
  let reply = Mutex<Data?>(nil)

  func onReturn<Success: Codable>(value: Success) async throws {
    let data = try JSONEncoder().encode(value)
    reply.withLock { $0 = data }
  }

  func onReturnVoid() async throws {
    reply.withLock { $0 = Data() }
  }

  func onThrow<Err: Error>(error: Err) async throws {}
}
