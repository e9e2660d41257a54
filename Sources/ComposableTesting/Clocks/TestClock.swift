internal import Synchronization

/// A clock that stands still until a test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let store = TestStore(
///   initialState: Timer(), reducer: timer, environment: TimerEnvironment().with(\.clock, clock))
/// await store.send(.start)
/// await clock.advance(by: .seconds(1))
/// await store.receive(.ticked) { $0.seconds = 1 }
/// ```
///
/// Before time passes, everything that can run has run up to its next sleep. The same is true after
/// each sleeper wakes. Sleepers wake in the order of their deadlines, and then in the order of
/// their arrival. While one runs, ``now`` is its deadline. So a test gives the same result each
/// time, without yielding first.
///
/// "Everything" is what runs on the test's executor: the effects of its ``TestStore``s, their child
/// tasks, and the default actors that they call. Under a trait of this library, that includes the
/// test itself and its child tasks. The clock doesn't wait for what leaves that executor: the main
/// actor, actors with their own executors, dispatch queues, threads and unstructured tasks
/// (`Task {}`). Before you advance the clock, wait for these tasks with
/// ``sleepers(atLeast:fileID:filePath:line:column:)``. If such a task begins to sleep after an
/// advance that woke no task, the test fails, because it probably waits for that task permanently.
/// ``TestStore`` itself waits for effects that go through such a task and then send an action.
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

  let state: Mutex<ClockState>
  let testRun = TestRun.running
  /// How long the clock waits for untracked tasks before the test fails.
  let patience: Duration

  /// Creates a clock that shows an instant.
  public convenience init(now: Instant = Instant()) {
    self.init(now: now, patience: TestRun.limit)
  }

  package init(now: Instant = Instant(), patience: Duration) {
    state = Mutex(ClockState(now: now))
    self.patience = patience
    testRun.add(self)
  }

  /// The instant that the clock shows.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero, because a sleeper wakes exactly at its deadline.
  public var minimumResolution: Duration { .zero }

  /// Sleeps until the clock is advanced to a deadline.
  ///
  /// - Throws: `CancellationError` immediately when the task is cancelled; ``SuspensionError`` if
  ///   the test failed because it doesn't track the task and no longer advances the clock.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { $0.makeID() }
    let task = SleepingTask(until: deadline)
    defer { endLateSleep(id) }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (outcome, waits) = state.withLock { state in
          (state.fallAsleep(id, task, continuation), state.satisfiedWaits)
        }
        if let outcome { continuation.resume(with: outcome) } else { beginLateSleep(id, deadline) }
        for wait in waits { wait.end(.fulfilled) }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.cancel(id) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
