public import Testing

/// A clock that fails the running test when it is used.
///
/// For a test in which no time passes:
///
/// ```swift
/// @Suite(.dependencies { $0.continuousClock = UnimplementedClock("continuousClock") })
/// struct SearchTests { … }
/// ```
///
/// It goes on as an ``ImmediateClock``: it shows a time, and no sleep takes any.
public final class UnimplementedClock: Clock, Sendable {
  /// A point in time of the clock.
  public typealias Instant = ImmediateClock.Instant

  private let clock = ImmediateClock()
  private let error: UnimplementedError

  /// Makes a clock that fails tests.
  ///
  /// - Parameters:
  ///   - name: What the clock is called where it is read.
  ///   - sourceLocation: Where the clock is declared.
  public init(
    _ name: String = "clock", sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    error = UnimplementedError(name: name, sourceLocation: sourceLocation)
  }

  /// Fails the test; the latest deadline of all sleeps so far.
  public var now: Instant {
    error.failTest()
    return clock.now
  }

  /// Fails the test; time passes in steps of any size.
  public var minimumResolution: Duration {
    error.failTest()
    return clock.minimumResolution
  }

  /// Fails the test, and returns at once.
  ///
  /// - Throws: `CancellationError` where the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    error.failTest()
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}
