public import ComposableDependencies
internal import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A source of the current date.
///
/// ```swift
/// @Dependency(\.date) var date
/// let age = date.now.timeIntervalSince(birthday)  // or date()
/// ```
public struct DateGenerator: Sendable {
  private var generate: @Sendable () -> Date

  /// Creates a generator from a closure.
  public init(_ generate: @escaping @Sendable () -> Date) {
    self.generate = generate
  }

  /// The current date.
  ///
  /// Setting it makes this generator a ``constant(_:)`` one:
  ///
  /// ```swift
  /// withDependencies {
  ///   $0.date.now = Date(timeIntervalSinceReferenceDate: 0)
  /// } operation: {
  ///   …
  /// }
  /// ```
  public var now: Date {
    get { generate() }
    set { generate = { newValue } }
  }

  /// Returns the current date.
  public func callAsFunction() -> Date { generate() }
}

extension DateGenerator {
  /// The date of the system clock.
  public static var live: Self { Self { Date() } }

  /// Returns a generator of a constant date.
  public static func constant(_ date: Date) -> Self {
    Self { date }
  }

  /// Returns a generator whose date advances by the same interval at each call.
  ///
  /// The first call returns `start`. No two calls return the same date, on any number of tasks,
  /// unless the interval is shorter than a date resolves: about a microsecond.
  public static func incrementing(
    from start: Date = Date(timeIntervalSinceReferenceDate: 0), by interval: TimeInterval = 1
  ) -> Self {
    let calls = Atomic<UInt64>(0)
    return Self {
      let count = calls.wrappingAdd(1, ordering: .relaxed).oldValue
      return start.addingTimeInterval(interval * Double(count))
    }
  }
}

private enum DateKey: DependencyKey {
  static var defaultValue: DateGenerator { .live }
}

extension Dependencies {
  /// The source of the current date; ``DateGenerator/live`` by default.
  ///
  /// In a test, set ``DateGenerator/now``, or override the generator with
  /// ``DateGenerator/constant(_:)`` or ``DateGenerator/incrementing(from:by:)``.
  public var date: DateGenerator {
    get { self[DateKey.self] }
    set { self[DateKey.self] = newValue }
  }
}
