/// Declares a dependency that is made once from others, and shared wherever these are the same.
///
/// A client that is made from a session and a base URL, is expensive or has identity:
///
/// ```swift
/// enum APIClientKey: SharedKey {
///   static func make() -> APIClient {
///     let scope = DependencyScope.current
///     return APIClient(session: scope.session, baseURL: scope.baseURL)
///   }
/// }
///
/// extension Dependencies {
///   var apiClient: APIClient {
///     get { self[APIClientKey.self] }
///     set { self[APIClientKey.self] = newValue }
///   }
/// }
/// ```
///
/// An equal value that is set again is another override, so it has another instance.
///
/// Two scopes share an instance exactly if everything that ``make()`` read is the same in both: the
/// same override, the same global value, or the default. A scope that overrides one of these inputs
/// has an instance of its own. It is freed with that override. An instance that was made from no
/// override belongs to the global store, which frees it when one of its inputs is set or aliased.
///
/// A program overrides a shared dependency as it overrides any other. In a scope made for a test it
/// reads its ``DependencyKey/testValue``, which is the shared instance unless you declare another.
///
/// If the first read of an input is in a scope many overrides below the input's own, the instance may
/// be freed with that scope. The next read then creates it again.
///
/// Reading one that is made costs about as much as reading each of its inputs once. Generic code that
/// knows only that a key is a ``DependencyKey``, and isn't specialized, asks for the default first,
/// which costs two to three times as much.
public protocol SharedKey<Value>: DependencyKey {
  /// The type of the instance.
  associatedtype Value = Self

  /// Makes an instance from other dependencies.
  ///
  /// It runs in the scope that is read, and the library holds no lock meanwhile. If several threads
  /// ask first, more than one may run it. One instance is kept, and all threads get that one.
  ///
  /// Read all that the instance depends on in here: only these reads decide which scopes share it. An
  /// instance that captures the current scope, such as in a ``Dependency`` property, later reads the
  /// inputs that `make` has read; every other dependency reads as if nothing overrides it, and an
  /// issue says so.
  ///
  /// Shared keys that are made from each other never end, as defaults that read each other do.
  static func make() -> Value
}

extension SharedKey {
  /// The instance for the current scope.
  public static var defaultValue: Value {
    Dependencies(node: CurrentScope.node).sharedInstance(of: Self.self)
  }
}
