public import ComposableDependencies

/// An instant by which work must be done, which travels as the remaining time.
///
/// Instants of a clock mean nothing in another process. So a deadline is written as the number of
/// whole milliseconds that remain, and the receiving process counts from the moment it reads them.
/// The time that the message itself takes isn't subtracted.
///
/// ```swift
/// try await withDependencies {
///   $0.deadline = .after(.seconds(30))
/// } operation: {
///   try await upload()
/// }
/// ```
///
/// A deadline alone doesn't cancel anything. Check ``hasPassed`` before you begin something, or
/// sleep until ``instant`` in a task that cancels the work.
public struct Deadline: Hashable, Comparable, Sendable {
  /// The instant on this process's clock.
  public var instant: ContinuousClock.Instant

  /// Creates a deadline at an instant.
  public init(_ instant: ContinuousClock.Instant) {
    self.instant = instant
  }

  /// Returns a deadline that is a duration from now.
  ///
  /// A duration that the clock can't represent is shortened to the longest that it can.
  public static func after(_ duration: Duration) -> Deadline {
    // The sum of an instant and a longer duration may not fit.
    let limit = Duration.seconds(Int64.max)
    return Deadline(.now.advanced(by: max(.zero - limit, min(duration, limit))))
  }

  /// The remaining time; zero when the deadline has passed.
  public var remaining: Duration { remaining(at: .now) }

  /// Whether the deadline has passed.
  public var hasPassed: Bool { remaining == .zero }

  func remaining(at now: ContinuousClock.Instant) -> Duration {
    max(.zero, now.duration(to: instant))
  }

  /// Returns whether one deadline is earlier than the other.
  public static func < (lhs: Deadline, rhs: Deadline) -> Bool {
    lhs.instant < rhs.instant
  }
}

/// The key of a call's deadline, which travels as remaining milliseconds in the field `deadline`.
///
/// It rejects durations of more than 31 years, and text that isn't a whole number of milliseconds.
public enum DeadlineKey: CarriedKey {
  /// No deadline.
  public static let defaultValue: Deadline? = nil

  /// The field `deadline`.
  public static let field = "deadline"

  /// Writes the number of remaining milliseconds, rounded down.
  public static func encode(_ value: Deadline?) -> String? {
    value.map { text(of: $0.remaining) }
  }

  /// Reads the number of remaining milliseconds, counted from now.
  public static func decode(_ text: String) -> Deadline?? {
    duration(text).map { .some(.after($0)) }
  }

  static func text(of remaining: Duration) -> String {
    let (seconds, attoseconds) = min(remaining, .milliseconds(longest)).components
    return String(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  static func duration(_ text: String) -> Duration? {
    guard text.utf8.count <= 12, text.utf8.allSatisfy({ $0.isDigit }) else { return nil }
    return Int64(text).map { .milliseconds($0) }
  }

  /// The largest number of twelve digits.
  private static let longest: Int64 = 999_999_999_999
}

extension Dependencies {
  /// The instant by which the current work must be done, if there is one.
  public var deadline: Deadline? {
    get { self[DeadlineKey.self] }
    set { self[DeadlineKey.self] = newValue }
  }
}
