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
  /// A point in time of the clock, counted from zero.
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
