public import ComposableDependencies

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Tells the time of the calendar.
///
/// ```swift
/// @Dependency(\.date) var date
/// let age = date.now.timeIntervalSince(birthday)  // or date()
/// ```
public struct DateGenerator: Sendable {
  private let generate: @Sendable () -> Date

  /// Makes a generator of what a closure returns.
  public init(_ generate: @escaping @Sendable () -> Date) {
    self.generate = generate
  }

  /// The time.
  public var now: Date { generate() }

  /// The time.
  public func callAsFunction() -> Date { generate() }
}

extension DateGenerator {
  /// The time of the machine.
  public static var live: Self { Self { Date() } }

  /// Always the same time.
  public static func constant(_ date: Date) -> Self {
    Self { date }
  }

  /// A time that grows by the same interval from one call to the next.
  ///
  /// The first call gets `start`. No two calls get the same time, from however many tasks.
  public static func incrementing(
    from start: Date = Date(timeIntervalSinceReferenceDate: 0), by interval: TimeInterval = 1
  ) -> Self {
    let calls = CallCounter()
    return Self { start.addingTimeInterval(interval * Double(calls.next())) }
  }
}

private enum DateKey: DependencyKey {
  static var defaultValue: DateGenerator { .live }
}

extension Dependencies {
  /// Tells the time of the calendar; ``DateGenerator/live`` by default.
  ///
  /// In a test override it with ``DateGenerator/constant(_:)`` or
  /// ``DateGenerator/incrementing(from:by:)``.
  public var date: DateGenerator {
    get { self[DateKey.self] }
    set { self[DateKey.self] = newValue }
  }
}
