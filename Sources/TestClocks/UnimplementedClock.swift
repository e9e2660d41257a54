internal import ComposableDependencies

/// A clock that fails the running test when it is used.
///
/// Use it in a test in which no time passes:
///
/// ```swift
/// @Suite(.dependencies { $0.continuousClock = UnimplementedClock("continuousClock") })
/// struct SearchTests { … }
/// ```
///
/// Its time stands still, and a sleep waits until its task is canceled. So a loop that sleeps fails the
/// test once.
public final class UnimplementedClock: Clock, Sendable {
  /// An instant of the clock.
  public typealias Instant = ImmediateClock.Instant

  private let clock = ImmediateClock()
  private let issue: @Sendable () -> DependencyIssue

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

  /// Fails the test, and returns the only instant.
  public var now: Instant {
    issue().report()
    return clock.now
  }

  /// Fails the test, and returns zero.
  public var minimumResolution: Duration {
    issue().report()
    return clock.minimumResolution
  }

  /// Fails the test, and waits until the task is canceled.
  ///
  /// - Throws: `CancellationError`.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    issue().report()
    // A stream without elements ends when the task is canceled.
    let nothing = AsyncStream<Never> { _ in }
    for await _ in nothing {}
    throw CancellationError()
  }
}
