internal import Synchronization

/// A clock whose sleeps take no time.
///
/// A sleep returns immediately, and the clock then shows its deadline. Use it in a test that cares
/// whether something happens, but not when:
///
/// ```swift
/// @Test(.dependencies { $0.continuousClock = ImmediateClock() })
/// func retriesUntilItWorks() async throws { … }
/// ```
///
/// A sleep yields to other tasks, so a loop that sleeps lets them run. It throws a `CancellationError`
/// if the task is canceled. If the order of sleeps matters, use a ``TestClock``.
public final class ImmediateClock: Clock, Sendable {
  /// A point in time, counted from zero.
  public typealias Instant = TestClock.Instant

  private let time: Mutex<Instant>

  /// Creates a clock that shows an instant.
  public init(now: Instant = Instant()) {
    time = Mutex(now)
  }

  /// The latest deadline of all sleeps.
  public var now: Instant { time.withLock { $0 } }

  /// Zero, because time passes in steps of any size.
  public var minimumResolution: Duration { .zero }

  /// Moves the clock to the deadline, and returns immediately.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
    await Task.yield()
  }
}
