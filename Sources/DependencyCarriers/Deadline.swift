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
/// A deadline alone doesn't cancel anything: ``beforeDeadline(_:)`` does. Check ``hasPassed`` before you
/// begin something.
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
    decode(text, longest: nil)
  }

  static func decode(_ text: String, longest: Duration?) -> Deadline?? {
    duration(text).map { .some(.after(min($0, longest ?? $0))) }
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

private enum LongestDeadlineKey: DependencyKey {
  static var defaultValue: Duration? { nil }
}

extension Dependencies {
  /// The instant by which the current work must be done, if there is one.
  public var deadline: Deadline? {
    get { self[DeadlineKey.self] }
    set { self[DeadlineKey.self] = newValue }
  }

  /// The longest time that a received deadline may leave; `nil`, the default, is no limit.
  ///
  /// Set it once where a server starts, because anyone can send a deadline. `extracting` brings a later
  /// deadline forward.
  ///
  /// ```swift
  /// Dependencies.setGlobally { $0.longestDeadline = .seconds(30) }
  /// ```
  public var longestDeadline: Duration? {
    get { self[LongestDeadlineKey.self] }
    set { self[LongestDeadlineKey.self] = newValue }
  }
}

/// The error of ``beforeDeadline(_:)`` if the deadline passes.
public struct DeadlineError: Error, Hashable, CustomStringConvertible {
  /// The deadline that has passed.
  public let deadline: Deadline

  /// What happened.
  public var description: String { "The deadline passed before the work was done." }
}

/// Runs an operation, and cancels it when the current deadline passes.
///
/// Put it around everything that may wait, such as `withResources`, so that it bounds the wait for a
/// connection, too:
///
/// ```swift
/// try await beforeDeadline {
///   try await upload()
/// }
/// ```
///
/// The call returns when the operation has ended, so the operation must respond to cancellation. It runs
/// in a child task. If there is no deadline, it just runs. If the deadline has already passed, it
/// doesn't run.
///
/// - Returns: The result of the operation, even if the deadline has passed by then.
/// - Throws: The error of the operation; ``DeadlineError`` if it throws `CancellationError` after the
///   deadline. `CancellationError` means that the caller was canceled.
public func beforeDeadline<R: Sendable>(
  _ operation: @escaping @Sendable @concurrent () async throws -> R
) async throws -> R {
  guard let deadline = DependencyScope.current.deadline else { return try await operation() }
  if deadline.hasPassed { throw DeadlineError(deadline: deadline) }
  return try await withTaskGroup(of: Result<R, any Error>?.self) { group -> Result<R, any Error> in
    group.addTask {
      do { return .success(try await operation()) } catch { return .failure(error) }
    }
    group.addTask {
      // More than a century, because a clock traps where the seconds don't fit into 64 bits.
      let longest = ContinuousClock.now.advanced(by: .seconds(1 << 32))
      try? await Task.sleep(until: min(deadline.instant, longest), clock: .continuous)
      return nil
    }
    let first = await group.next()!
    group.cancelAll()
    // The other task has no result. It ends first when the deadline passes or the caller is canceled.
    if let first { return first }
    let isLate = deadline.hasPassed
    let result = await group.next()!!
    if isLate, case .failure(is CancellationError) = result {
      return .failure(DeadlineError(deadline: deadline))
    }
    return result
  }.get()
}
