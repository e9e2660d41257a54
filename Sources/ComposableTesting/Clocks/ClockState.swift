/// The tasks that sleep on a test's clock.
///
/// Use it only under the clock's lock.
struct ClockState {
  struct Sleeper {
    let id: Int
    let task: SleepingTask
    let continuation: CheckedContinuation<Void, any Error>
  }

  private(set) var now: TestClock.Instant
  /// The instant to which the clock is being advanced.
  private var end: TestClock.Instant
  /// The waits for a number of sleepers.
  var waits: [(count: Int, wait: Wait)] = []

  /// In the order in which to wake them.
  private var sleepers: [Sleeper] = []
  /// The sleeps about to begin, and whether each is already cancelled.
  private var arriving: [Int: Bool] = [:]
  private var lastID = 0

  init(now: TestClock.Instant) {
    self.now = now
    end = now
  }

  /// The end of another advance, which comes after those that are under way.
  mutating func nextEnd(after duration: Duration) -> TestClock.Instant {
    end = max(now, end).advanced(by: duration)
    return end
  }

  var sleepingTasks: [SleepingTask] { sleepers.map(\.task) }
  var deadlines: [TestClock.Instant] { sleepers.map(\.task.deadline) }

  /// The place that last advanced the clock, if that woke no task.
  var idleAdvance: CallSite?

  /// Sleepers that arrived after that, from tasks that the test doesn't track.
  var lateSleepers: [Int: Wait] = [:]

  mutating func makeID() -> Int {
    lastID += 1
    arriving[lastID] = false
    return lastID
  }

  /// - Returns: How the sleep ends, if it ends immediately.
  mutating func fallAsleep(
    _ id: Int, _ task: SleepingTask, _ continuation: CheckedContinuation<Void, any Error>
  ) -> Result<Void, any Error>? {
    if arriving.removeValue(forKey: id) == true { return .failure(CancellationError()) }
    if task.deadline <= now { return .success(()) }
    let index = sleepers.lastIndex { $0.task.deadline <= task.deadline }.map { $0 + 1 } ?? 0
    sleepers.insert(Sleeper(id: id, task: task, continuation: continuation), at: index)
    return nil
  }

  /// - Returns: The sleeper, if it already sleeps.
  mutating func cancel(_ id: Int) -> Sleeper? {
    if arriving[id] != nil { arriving[id] = true }
    return sleepers.firstIndex { $0.id == id }.map { sleepers.remove(at: $0) }
  }

  /// Moves the time to the next deadline, or to `end` if no deadline comes before.
  ///
  /// - Returns: The sleeper to wake.
  mutating func wakeFirst(until end: TestClock.Instant?) -> Sleeper? {
    guard let first = sleepers.first, end.map({ first.task.deadline <= $0 }) ?? true else {
      if let end { now = max(now, end) }
      return nil
    }
    now = max(now, first.task.deadline)
    return sleepers.removeFirst()
  }

  var satisfiedWaits: [Wait] {
    waits.filter { $0.count <= sleepers.count }.map(\.wait)
  }
}
