/// Declares a dependency: its type, and the value that it has where nobody overrides it.
///
/// ```swift
/// enum RetryLimitKey: DependencyKey {
///   static let defaultValue = 3
/// }
///
/// extension Dependencies {
///   var retryLimit: Int {
///     get { self[RetryLimitKey.self] }
///     set { self[RetryLimitKey.self] = newValue }
///   }
/// }
/// ```
///
/// A type may be its own key, a `Sendable` class included, when it says what its default is:
///
/// ```swift
/// struct APIClient: DependencyKey {
///   static let defaultValue = APIClient(…)
///   var fetch: @Sendable (URL) async throws -> Data
/// }
/// ```
///
/// - Important: A default that reads other dependencies is a computed property, not a `static let`.
///   A `static let` is computed once, in the scope of whoever happens to ask first, and keeps what
///   it read there for ever.
public protocol DependencyKey<Value>: SendableMetatype {
  /// The type of the dependency.
  associatedtype Value: Sendable = Self

  /// What a read finds where neither the scope nor its global store has a value.
  ///
  /// It is asked for at each such read, and runs in the scope that is being read: a default made
  /// from other dependencies sees their overrides. No lock of the library is held meanwhile.
  static var defaultValue: Value { get }

  /// What takes the place of ``defaultValue`` in a scope made for a test; the same unless declared.
  static var testValue: Value { get }
}

extension DependencyKey {
  /// The default value.
  public static var testValue: Value { defaultValue }
}
