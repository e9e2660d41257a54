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
/// Before time passes, everything that can run has run, as far as to its next sleep; so it does
/// again after each sleeper that is woken. Sleepers are woken in the order of their deadlines, and of
/// their coming where those are the same; while one runs, ``now`` is its deadline. So the same test
/// gives the same result each time, without a yield before it.
///
/// "Everything" is what runs on the executor of the test: the effects of its ``TestStore``s, their
/// child tasks and the default actors that they call, and under a trait of this library the test
/// itself and its child tasks. What leaves it is not waited for: the main actor, actors with
/// executors of their own, dispatch queues and threads, and unstructured tasks (`Task {}`). Where
/// such a task is to sleep, wait for that with ``sleepers(atLeast:fileID:filePath:line:column:)`` before you
/// advance; for an effect that goes through one and then sends an action, ``TestStore`` waits by
/// itself.
///
/// A clock belongs to the test in which it is made.
public final class TestClock: Clock, Sendable {
  /// A point in time of a test's clock, counted from zero.
  public struct Instant: InstantProtocol {
    /// How much time has passed on the clock.
    public let offset: Duration

    /// An instant so long after a clock's first.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// The instant that is a duration away.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// How long it is to another instant.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether an instant comes before another.
    public static func < (lhs: Instant, rhs: Instant) -> Bool {
      lhs.offset < rhs.offset
    }
  }

  private let state: Mutex<ClockState>
  private let testRun = TestRun.running

  /// Makes a clock that shows an instant.
  public init(now: Instant = Instant()) {
    state = Mutex(ClockState(now: now))
  }

  /// What the clock shows.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero: a sleeper is woken exactly at its deadline.
  public var minimumResolution: Duration { .zero }

  /// Sleeps until the clock is advanced to a deadline.
  ///
  /// - Throws: `CancellationError`, at once when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { $0.makeID() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (outcome, waits) = state.withLock { state in
          (state.fallAsleep(id, until: deadline, continuation), state.takeSatisfiedWaits())
        }
        if let outcome { continuation.resume(with: outcome) }
        for wait in waits { wait.end(.fulfilled) }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.cancel(id) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}

extension TestClock {
  /// Lets time pass, and wakes those whose deadline comes, one after the other.
  public func advance(
    by duration: Duration,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await advance(to: now.advanced(by: duration), place)
  }

  /// Lets time pass until an instant, and wakes those whose deadline comes, one after the other.
  public func advance(
    to instant: Instant,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await advance(to: instant, place)
  }

  private func advance(to instant: Instant, _ place: SourcePlace) async {
    await testRun.settle(at: place)
    while let sleeper = state.withLock({ $0.wakeFirst(until: instant) }) {
      sleeper.continuation.resume()
      await testRun.settle(at: place)
    }
  }

  /// Lets time pass until nobody sleeps any more.
  ///
  /// Where somebody sleeps again and again, that is never: the test fails. Advance the clock as far
  /// as you need instead, and cancel what goes on for ever.
  ///
  /// - Parameters:
  ///   - count: How many sleepers are woken before the test fails.
  ///   - fileID: The file that a failure names.
  ///   - filePath: The path of that file.
  ///   - line: The line that a failure names.
  ///   - column: The column that a failure names.
  public func run(
    wakingAtMost count: Int = 10_000,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await testRun.settle(at: place)
    for _ in 0..<count {
      guard let sleeper = state.withLock({ $0.wakeFirst(until: nil) }) else { return }
      sleeper.continuation.resume()
      await testRun.settle(at: place)
    }
    guard let next = state.withLock({ $0.deadlines.first }) else { return }
    TestFailure.record(
      """
      The clock does not come to an end: it has woken \(count) sleepers, it shows \(now.offset), and \
      somebody sleeps until \(next.offset).
        Instead: advance it as far as the test needs, and cancel what sleeps again and again.
      """, at: place)
  }

  /// Checks that nobody sleeps on the clock, once everything that can run has run.
  ///
  /// - Throws: ``SuspensionError``, where somebody does.
  public func checkSuspension(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async throws {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await testRun.settle(at: place)
    let (now, deadlines) = state.withLock { ($0.now, $0.deadlines) }
    guard deadlines.isEmpty else { throw SuspensionError(now: now, deadlines: deadlines) }
  }

  /// Somebody sleeps on a clock on which nobody should.
  public struct SuspensionError: Error, CustomStringConvertible {
    /// What the clock showed.
    public let now: Instant
    /// When those who sleep will wake, in order.
    public let deadlines: [Instant]

    /// The instants in words.
    public var description: String {
      """
      At \(now.offset), there are tasks that sleep on the test's clock, until \
      \(deadlines.map { "\($0.offset)" }.joined(separator: ", ")).
      """
    }
  }

  /// Waits until so many tasks sleep on the clock.
  ///
  /// Only a task that leaves the executor of the test needs it, such as `Task {}`; the effects of a
  /// ``TestStore`` never do.
  ///
  /// - Returns: How many there are; fewer than `count` where, after some seconds of real time, the
  ///   test fails.
  @discardableResult
  public func sleepers(
    atLeast count: Int,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async -> Int {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await testRun.settle(at: place)
    let wait = Wait()
    let waits = state.withLock { state in
      state.waits.append((count, wait))
      return state.takeSatisfiedWaits()
    }
    for wait in waits { wait.end(.fulfilled) }
    let outcome = await wait.outcome(within: TestRun.limit)
    let sleepers = state.withLock { state in
      state.waits.removeAll { $0.wait === wait }
      return state.deadlines.count
    }
    if outcome == .timedOut {
      TestFailure.record(
        """
        For \(TestRun.limit), the test has waited until there are \(count) tasks that sleep on its \
        clock. There are \(sleepers).
        """, at: place)
    }
    return sleepers
  }
}
