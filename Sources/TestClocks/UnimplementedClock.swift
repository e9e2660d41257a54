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

  private let name: String
  private let place: SourcePlace

  /// Creates a clock that fails tests, which name the dependency or property that holds it.
  public init(
    _ name: String = "clock", fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.name = name
    place = SourcePlace(fileID: fileID, line: line)
  }

  private func report() {
    DependencyIssue(unimplemented: name, at: place).report()
  }

  /// Fails the test, and returns the only instant.
  public var now: Instant {
    report()
    return Instant()
  }

  /// Fails the test, and returns zero.
  public var minimumResolution: Duration {
    report()
    return .zero
  }

  /// Fails the test, and waits until the task is canceled.
  ///
  /// - Throws: `CancellationError`.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    report()
    // A stream without elements ends when the task is canceled.
    let nothing = AsyncStream<Never> { _ in }
    for await _ in nothing {}
    throw CancellationError()
  }
}
