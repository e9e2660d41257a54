internal import Synchronization

/// Counts the objects that are alive, and lets a test wait until none is left.
package final class AliveCounter: Sendable {
  private let state = Mutex((count: 0, waiters: [CheckedContinuation<Void, Never>]()))

  package init() {}

  package var count: Int { state.withLock { $0.count } }

  package func waitForNone() async {
    await withCheckedContinuation { continuation in
      let isNone = state.withLock { state in
        if state.count > 0 { state.waiters.append(continuation) }
        return state.count == 0
      }
      if isNone { continuation.resume() }
    }
  }

  fileprivate func add(_ change: Int) {
    let waiters = state.withLock { state in
      state.count += change
      guard state.count == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}

/// An object that counts while it is alive, and can run code at its end.
package final class Tracked: Hashable, Sendable {
  private let alive: AliveCounter
  private let atEnd: @Sendable () -> Void

  package init(
    _ alive: AliveCounter = AliveCounter(), atEnd: @escaping @Sendable () -> Void = {}
  ) {
    self.alive = alive
    self.atEnd = atEnd
    alive.add(1)
  }

  deinit {
    atEnd()
    alive.add(-1)
  }

  package static func == (lhs: Tracked, rhs: Tracked) -> Bool { lhs === rhs }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
