internal import Synchronization
package import TestRuntime

/// A clock that stands still until a test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let task = Task { try await clock.sleep(for: .seconds(1)) }
/// await clock.advance(by: .seconds(1))
/// try await task.value
/// ```
///
/// Sleepers wake in the order of their deadlines, and then in the order of their arrival. While one
/// runs, ``now`` is its deadline. Before the clock moves to the next deadline, everything that can
/// run runs up to its next sleep. So a test gives the same result each time, without pauses.
///
/// "Everything" is what runs on the test's executor: the effects of its stores, their child tasks,
/// and the default actors that they call. Under a trait of this library, that includes the test
/// itself, each task that it starts, and their work on the main actor. Without a trait, the clock
/// yields to other tasks until none begins to sleep. If that isn't enough, or if a task sleeps after
/// work on a queue or on an actor with its own executor, wait with
/// ``waitForSleepers(atLeast:fileID:filePath:line:column:)`` before you advance the clock.
///
/// If a task sleeps, and the test does nothing for five seconds that could wake it, the test fails,
/// and the sleep throws. So a test never hangs because of its clock.
///
/// A clock belongs to the test that creates it.
public final class TestClock: Clock, Sendable {
  /// An instant of a test's clock, counted from zero.
  public struct Instant: InstantProtocol {
    /// The time that has passed on the clock.
    public let offset: Duration

    /// Creates the instant at an offset from a clock's first instant.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// Returns the instant that is a duration later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// Returns the duration to another instant.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether an instant is before another.
    public static func < (lhs: Instant, rhs: Instant) -> Bool {
      lhs.offset < rhs.offset
    }
  }

  struct Sleep: Sendable {
    let task: SleepingTask
    let continuation: CheckedContinuation<Void, any Error>
  }

  struct State {
    var now: Instant
    /// The instant to which the clock is being advanced.
    var end: Instant
    var sleepers = Sleepers<Sleep>()
    /// The number of sleeps that have begun.
    var sleepCount = 0
    /// The waits for a number of sleepers.
    var waits: [(count: Int, wait: Wait)] = []

    var satisfiedWaits: [Wait] {
      waits.filter { $0.count <= sleepers.count }.map(\.wait)
    }
  }

  let state: Mutex<State>
  let testRun = TestRun.running
  /// How long the clock waits before the test fails.
  let patience: Duration

  /// Creates a clock that shows an instant.
  public convenience init(now: Instant = Instant()) {
    self.init(now: now, patience: TestRun.limit)
  }

  package init(now: Instant = Instant(), patience: Duration) {
    state = Mutex(State(now: now, end: now))
    self.patience = patience
    testRun.add(self)
  }

  /// The instant that the clock shows.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero, because a sleeper wakes exactly at its deadline.
  public var minimumResolution: Duration { .zero }

  /// Sleeps until the clock is advanced to a deadline; until now or earlier, only yields to other tasks.
  ///
  /// - Throws: `CancellationError` immediately when the task is cancelled; ``SuspensionError`` if
  ///   the test failed because nothing woke the task.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    if deadline <= now {
      try Task.checkCancellation()
      // A loop that sleeps lets others run.
      return await Task.yield()
    }
    let id = state.withLock { $0.sleepers.makeID() }
    let task = SleepingTask(until: deadline.offset)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (outcome, waits): (Result<Void, any Error>?, [Wait]) = state.withLock { state in
          if Task.isCancelled { return (.failure(CancellationError()), []) }
          if deadline <= state.now { return (.success(()), []) }
          state.sleepers.insert(
            id, until: deadline.offset, Sleep(task: task, continuation: continuation))
          state.sleepCount += 1
          return (nil, state.satisfiedWaits)
        }
        if let outcome { continuation.resume(with: outcome) }
        for wait in waits { wait.finish(.fulfilled) }
        if outcome == nil { testRun.watchSleepers(for: patience) }
      }
    } onCancel: {
      let sleep = state.withLock { $0.sleepers.cancel(id) }
      sleep?.continuation.resume(throwing: CancellationError())
    }
  }
}

extension TestClock: ClockWithSleepers {
  package var sleepingTasks: [SleepingTask] {
    state.withLock { $0.sleepers.sorted.map(\.sleep.task) }
  }

  package func failSleepers(after limit: Duration) {
    let (now, sleepers) = state.withLock { ($0.now, $0.sleepers.removeAll()) }
    for sleeper in sleepers {
      TestFailure.record(
        """
        \(testRun.name(of: sleeper.sleep.task)) sleeps on the test's clock until \
        \(sleeper.deadline). The clock shows \(now.offset), and the test has done nothing for \
        \(limit) that could wake it.
          Instead: advance the clock after the task has begun to sleep, for which \
        `await clock.waitForSleepers(atLeast: 1)` waits. Or cancel the task before the test ends.
        """, at: testRun.order.place)
      sleeper.sleep.continuation.resume(
        throwing: SuspensionError(now: now, deadlines: [Instant(offset: sleeper.deadline)]))
    }
  }

  package func cancelSleepers() {
    for sleeper in state.withLock({ $0.sleepers.removeAll() }) {
      sleeper.sleep.continuation.resume(throwing: CancellationError())
    }
  }
}
