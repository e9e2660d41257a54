import Synchronization

/// Counts the objects that are alive.
final class AliveCounter: Sendable {
  private let number = Mutex(0)
  var count: Int { number.withLock { $0 } }
  fileprivate func add(_ change: Int) { number.withLock { $0 += change } }
}

/// An object that counts while it is alive, and can run code at its end.
final class Tracked: Sendable {
  private let alive: AliveCounter
  private let last: @Sendable () -> Int

  init(_ alive: AliveCounter, last: @escaping @Sendable () -> Int = { 0 }) {
    self.alive = alive
    self.last = last
    alive.add(1)
  }

  deinit {
    _ = last()
    alive.add(-1)
  }
}
