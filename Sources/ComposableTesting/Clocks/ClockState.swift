/// Who sleeps on a test's clock; to be used under its lock.
struct ClockState {
  struct Sleeper {
    let id: Int
    let deadline: TestClock.Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private(set) var now: TestClock.Instant
  /// Those who wait for a number of sleepers.
  var waits: [(count: Int, wait: Wait)] = []

  /// In the order in which they are to be woken.
  private var sleepers: [Sleeper] = []
  /// Those about to sleep, and whether they are cancelled already.
  private var arriving: [Int: Bool] = [:]
  private var lastID = 0

  init(now: TestClock.Instant) {
    self.now = now
  }

  var deadlines: [TestClock.Instant] { sleepers.map(\.deadline) }

  mutating func makeID() -> Int {
    lastID += 1
    arriving[lastID] = false
    return lastID
  }

  /// - Returns: How the sleep ends at once, if it does.
  mutating func fallAsleep(
    _ id: Int, until deadline: TestClock.Instant,
    _ continuation: CheckedContinuation<Void, any Error>
  ) -> Result<Void, any Error>? {
    if arriving.removeValue(forKey: id) == true { return .failure(CancellationError()) }
    if deadline <= now { return .success(()) }
    let index = sleepers.lastIndex { $0.deadline <= deadline }.map { $0 + 1 } ?? 0
    sleepers.insert(Sleeper(id: id, deadline: deadline, continuation: continuation), at: index)
    return nil
  }

  /// - Returns: The sleeper, if it sleeps already.
  mutating func cancel(_ id: Int) -> Sleeper? {
    if arriving[id] != nil { arriving[id] = true }
    return sleepers.firstIndex { $0.id == id }.map { sleepers.remove(at: $0) }
  }

  /// Moves the time to the next deadline, or, where there is none until `end`, to that.
  ///
  /// - Returns: The sleeper to wake.
  mutating func wakeFirst(until end: TestClock.Instant?) -> Sleeper? {
    guard let first = sleepers.first, end.map({ first.deadline <= $0 }) ?? true else {
      if let end { now = max(now, end) }
      return nil
    }
    now = max(now, first.deadline)
    return sleepers.removeFirst()
  }

  mutating func takeSatisfiedWaits() -> [Wait] {
    let count = sleepers.count
    defer { waits.removeAll { $0.count <= count } }
    return waits.filter { $0.count <= count }.map(\.wait)
  }
}
