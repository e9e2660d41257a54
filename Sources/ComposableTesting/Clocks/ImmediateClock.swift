internal import Synchronization

/// A clock on which no sleep takes time: each returns at once, and the clock then shows its deadline.
///
/// For a test that does not care when something happens, as long as it does:
///
/// ```swift
/// @Test(.dependencies { $0.continuousClock = ImmediateClock() })
/// func retriesUntilItWorks() async throws { … }
/// ```
///
/// Sleeping yields to other tasks, so that a loop that sleeps lets them run, and throws a
/// `CancellationError` where the task is cancelled. Where the order of sleeps matters use a
/// ``TestClock``.
public final class ImmediateClock: Clock, Sendable {
  /// A point in time, counted from zero.
  public typealias Instant = TestClock.Instant

  private let time: Mutex<Instant>

  /// Makes a clock that shows an instant.
  public init(now: Instant = Instant()) {
    time = Mutex(now)
  }

  /// The latest deadline of all sleeps so far.
  public var now: Instant { time.withLock { $0 } }

  /// Time passes in steps of any size.
  public var minimumResolution: Duration { .zero }

  /// Returns at once, when the clock shows the deadline.
  ///
  /// - Throws: `CancellationError` where the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
    await Task.yield()
  }
}
