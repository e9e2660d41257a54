import Synchronization

/// The identity of a value, and so its origin.
enum Token: Hashable, Sendable {
  case `default`(Int)
  case override(Int, number: Int)
  case global(Int)
  case opened(Instance)
}

/// One attempt of a lifetime to open a key.
struct Instance: Hashable, Sendable {
  let key: Int
  let lifetime: Int
  let attempt: Int
}

enum Outcome: Hashable, Sendable {
  case returned
  case cancelled
  case cycle([Int])
  case ended
  case failed(String)

  var isFailure: Bool { self != .returned && self != .cancelled }
}

/// The code that asks for a key.
enum Asker: Hashable, Sendable {
  case operation(lifetime: Int?)
  case resource(Instance)
}

enum Event: Sendable {
  case began(
    lifetime: Int, outer: Int?, listed: [Int], bindings: [Int: Token], mayBeCancelled: Bool)
  case operating(lifetime: Int)
  case operated(lifetime: Int, Outcome)
  case returned(lifetime: Int, Outcome)
  case opening(Instance)
  case opened(Instance)
  case failed(Instance, Outcome)
  case asked(Int, Asker, key: Int, bindings: [Int: Token])
  case got(Int, Token)
  case refused(Int, Outcome, mayBeCancelled: Bool)
  case running(Instance)
  case runFails(Instance)
  case ran(Instance)
  case closing(Instance, isCancelled: Bool)
  case closed(Instance)
  case read(key: Int, Token, expected: Token)
  case readAfterEnd(lifetime: Int, key: Int, issues: Int, expected: Int)
}

/// The events, in order.
final class Trace: Sendable {
  private struct State {
    var events: [Event] = []
    var attempts: [[Int]: Int] = [:]
    var lastNumber = 0
  }

  private let state = Mutex(State())

  var events: [Event] { state.withLock { $0.events } }

  func record(_ event: Event) {
    state.withLock { $0.events.append(event) }
  }

  func nextNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  /// Records that a lifetime begins to open a key.
  func opening(_ key: Int, in lifetime: Int) -> Instance {
    state.withLock { state in
      state.attempts[[key, lifetime], default: 0] += 1
      let instance = Instance(
        key: key, lifetime: lifetime, attempt: state.attempts[[key, lifetime]]!)
      state.events.append(.opening(instance))
      return instance
    }
  }
}
