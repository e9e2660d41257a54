import ComposableDependencies
import DependencyCarriers
import Distributed
import Foundation
import Synchronization

/// A minimal actor system that sends messages, to show where to inject and extract values.
///
/// Two systems are two processes. Only `Data` crosses between them.
final class MessageSystem: DistributedActorSystem {
  typealias ActorID = String
  typealias SerializationRequirement = any Codable
  typealias InvocationEncoder = Message
  typealias InvocationDecoder = MessageDecoder
  typealias ResultHandler = ReplyHandler

  struct NoSuchActor: Error {}
  struct RemoteFailure: Error {}

  private let actors = Mutex<[ActorID: any DistributedActor]>([:])
  private let peer = Mutex<MessageSystem?>(nil)
  private let messages = Mutex<[Message]>([])

  /// Every message that was sent, unchanged.
  var sent: [Message] { messages.withLock { $0 } }

  func connect(to system: MessageSystem) {
    peer.withLock { $0 = system }
  }

  func resolve<Act: DistributedActor>(id: ActorID, as type: Act.Type) throws -> Act?
  where Act.ID == ActorID {
    actors.withLock { $0[id] } as? Act
  }

  func assignID<Act: DistributedActor>(_ type: Act.Type) -> ActorID where Act.ID == ActorID {
    UUID().uuidString
  }

  func actorReady<Act: DistributedActor>(_ actor: Act) where Act.ID == ActorID {
    actors.withLock { $0[actor.id] = actor }
  }

  func resignID(_ id: ActorID) {
    actors.withLock { _ = $0.removeValue(forKey: id) }
  }

  func makeInvocationEncoder() -> Message { Message() }
}

// MARK: - The calling side

extension MessageSystem {
  func remoteCall<Act: DistributedActor, Failure: Error, Result: Codable>(
    on actor: Act,
    target: RemoteCallTarget,
    invocation: inout Message,
    throwing: Failure.Type,
    returning: Result.Type
  ) async throws -> Result where Act.ID == ActorID {
    let reply = try await send(&invocation, to: actor.id, target)
    return try JSONDecoder().decode(Result.self, from: reply)
  }

  func remoteCallVoid<Act: DistributedActor, Failure: Error>(
    on actor: Act,
    target: RemoteCallTarget,
    invocation: inout Message,
    throwing: Failure.Type
  ) async throws where Act.ID == ActorID {
    _ = try await send(&invocation, to: actor.id, target)
  }

  private func send(
    _ message: inout Message, to actor: ActorID, _ target: RemoteCallTarget
  ) async throws -> Data {
    message.actor = actor
    message.target = target.identifier
    var baggage = Baggage()
    DependencyScope.current.inject(TenantKey.self, DeadlineKey.self, into: &baggage)
    message.baggage = baggage.header()
    messages.withLock { [message] in $0.append(message) }
    guard let peer = peer.withLock({ $0 }) else { throw NoSuchActor() }
    let data = try JSONEncoder().encode(message)
    // Detached, because nothing of this task reaches another process.
    return try await Task.detached { try await peer.receive(data) }.value
  }
}

// MARK: - The receiving side

extension MessageSystem {
  private func receive(_ data: Data) async throws -> Data {
    let message = try JSONDecoder().decode(Message.self, from: data)
    guard let actor = actors.withLock({ $0[message.actor] }) else { throw NoSuchActor() }
    let handler = ReplyHandler()
    let scope = DependencyScope.current.extracting(
      TenantKey.self, DeadlineKey.self, from: Baggage(message.baggage))
    try await scope.run {
      var decoder = MessageDecoder(system: self, arguments: message.arguments)
      try await executeDistributedTarget(
        on: actor, target: RemoteCallTarget(message.target), invocationDecoder: &decoder,
        handler: handler)
    }
    guard let reply = handler.reply.withLock({ $0 }) else { throw RemoteFailure() }
    return reply
  }
}
