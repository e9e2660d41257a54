/// A declaration of a dependency: its type, and its default value.
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
/// A type can be its own key, including a `Sendable` class, if it declares its default. Write
/// `Sendable` on a public type, because Swift infers it only for internal types:
///
/// ```swift
/// public struct APIClient: DependencyKey, Sendable {
///   public static let defaultValue = APIClient(fetch: { url in … })
///   public var fetch: @Sendable (URL) async throws -> Data
/// }
/// ```
///
/// - Important: A computed `defaultValue` runs at every read that finds neither an override nor a
///   global value. Use a `static let` for a default that is expensive or has identity. If such a
///   default reads other dependencies, declare a `SharedKey` of `ComposableResources` instead: a
///   `static let` permanently keeps what it read in the scope of the first read.
public protocol DependencyKey<Value>: SendableMetatype {
  /// The type of the dependency.
  associatedtype Value: Sendable = Self

  /// The value of the dependency if neither the scope nor its global store has one.
  ///
  /// Each such read computes it, in the scope that is being read, so a default that reads other
  /// dependencies sees their overrides. The library holds no lock meanwhile. To compute it in a scope
  /// that isn't current, a read enters that scope, which costs more than the rest of the read.
  ///
  /// Swift accepts a leftover `liveValue` or `previewValue` in a key, but nothing reads it.
  ///
  /// Defaults that read each other never end. A debug build stops and names their keys; a release
  /// build overflows the stack.
  static var defaultValue: Value { get }

  /// The value that replaces ``defaultValue`` in tests; ``defaultValue`` unless you declare it.
  ///
  /// Tests read it in every scope and outside any scope, unless they ask for default values.
  static var testValue: Value { get }
}

extension DependencyKey {
  // Not specialized for each key, because only tests read it, and each client would compile it.
  /// The key's ``defaultValue``.
  @_semantics("optimize.sil.specialize.generic.never")
  public static var testValue: Value { defaultValue }
}
