internal import Synchronization

/// Counts the objects that are alive, and lets a test wait until few are left.
package final class AliveCounter: Sendable {
  private let state = Mutex((count: 0, waiting: [(most: Int, signal: Signal)]()))

  package init() {}

  package var count: Int { state.withLock { $0.count } }

  /// Returns how many are left, after waiting until at most a number are.
  package func left(atMost most: Int = 0, after limit: Duration = .seconds(600)) async -> Int {
    let signal = Signal()
    let isReached = state.withLock { state in
      state.waiting.append((most, signal))
      return state.count <= most
    }
    if !isReached { _ = await signal.wait(atMost: limit) }
    return count
  }

  fileprivate func add(_ change: Int) {
    let waiting = state.withLock { state in
      state.count += change
      let count = state.count
      defer { state.waiting.removeAll { count <= $0.most } }
      return state.waiting.filter { count <= $0.most }
    }
    for (_, signal) in waiting { signal.raise() }
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
