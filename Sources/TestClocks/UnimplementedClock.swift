internal import ComposableDependencies
internal import Synchronization

/// A clock that fails the running test when it is used.
///
/// Use it in a test in which no time passes:
///
/// ```swift
/// @Suite(.dependencies { $0.continuousClock = UnimplementedClock("continuousClock") })
/// struct SearchTests { … }
/// ```
///
/// Otherwise, it works like an ``ImmediateClock``: it shows a time, and sleeps take no time.
public final class UnimplementedClock: Clock, Sendable {
  /// An instant of the clock.
  public typealias Instant = ImmediateClock.Instant

  private let clock = ImmediateClock()
  private let issue: @Sendable () -> DependencyIssue
  /// Whether `now` has failed the test for the sleep that may follow.
  private let hasFailedForSleep = Atomic(false)

  /// Creates a clock that fails tests.
  ///
  /// - Parameters:
  ///   - name: The dependency or property that holds the clock.
  ///   - fileID: The file that a failure names.
  ///   - line: The line that a failure names.
  public init(
    _ name: String = "clock", fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let place = SourcePlace(fileID: fileID, line: line)
    issue = { DependencyIssue(unimplemented: name, at: place) }
  }

  /// Fails the test, and returns the latest deadline of all sleeps.
  public var now: Instant {
    issue().report()
    hasFailedForSleep.store(true, ordering: .relaxed)
    return clock.now
  }

  /// Fails the test, and returns zero.
  public var minimumResolution: Duration {
    issue().report()
    return clock.minimumResolution
  }

  /// Fails the test, and returns immediately.
  ///
  /// A sleep whose deadline was computed from ``now`` fails the test once.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    if !hasFailedForSleep.exchange(false, ordering: .relaxed) { issue().report() }
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}
