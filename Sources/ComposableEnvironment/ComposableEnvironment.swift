@_exported public import ComposableDependencies

/// An environment that captures a scope when it is created, and reads it wherever it is used.
///
/// ```swift
/// struct Search: ComposableEnvironment {
///   let scope = DependencyScope.current
///   @Dependency(\.apiClient) var client
///   @DerivedEnvironment<Results> var results
/// }
/// ```
///
/// A dependency can be declared, as `client` here, or read by its name without a declaration:
/// `search.clock` is the clock in the environment's scope.
///
/// An environment is a value, and so are its overrides: ``with(_:_:fileID:line:)`` gives a new
/// environment, in which the override holds for all its declared dependencies and derived
/// environments. An override is right in every asynchronous effect that captures the environment,
/// whichever task, thread or actor it ends up on, and whatever is current there.
///
/// The scope is not in force while the environment's methods run: what they call reads the current
/// scope, as everywhere. `scope.run { … }` puts it in force, for a whole feature say.
///
/// Stored properties of its own need ``/ComposableDependencies/ScopeCapturing/adopt(from:)``.
@dynamicMemberLookup
public protocol ComposableEnvironment: ScopeCapturing {}

extension ComposableEnvironment {
  /// This environment, made again with one more override.
  ///
  /// Its declared dependencies and its derived environments see the override; the original and its
  /// other descendants do not.
  ///
  /// ```swift
  /// let offline = Search().with(\.apiClient, .offline)
  /// ```
  public func with<Value>(
    _ keyPath: WritableKeyPath<Dependencies, Value>,
    _ value: Value,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Self {
    with({ $0[keyPath: keyPath] = value }, fileID: fileID, line: line)
  }

  /// This environment, made again with more overrides.
  ///
  /// ```swift
  /// let offline = Search().with {
  ///   $0.apiClient = .offline
  ///   $0.retryLimit = 0
  /// }
  /// ```
  public func with(
    _ update: (inout Dependencies) -> Void,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Self {
    remade(fileID: fileID, line: line, overriding: update)
  }

  /// Makes two dependencies one, in the global store of this environment's scope.
  ///
  /// They read the same value from then on, in every scope over that store; see
  /// ``/ComposableDependencies/AliasBuilder/alias(_:to:)`` for what that means.
  ///
  /// - Returns: This environment.
  @discardableResult
  public func aliasing<Value>(
    _ dependency: any WritableKeyPath<Dependencies, Value> & Sendable,
    to target: any WritableKeyPath<Dependencies, Value> & Sendable,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Self {
    scope.alias(dependency, to: target, fileID: fileID, line: line)
    return self
  }

  /// The value of a dependency in this environment's scope; setting it is ``with(_:_:fileID:line:)``
  /// in place.
  ///
  /// ```swift
  /// parent.child[\.apiClient] = .offline
  /// ```
  public subscript<Value>(
    keyPath: WritableKeyPath<Dependencies, Value>,
    fileID fileID: StaticString = #fileID,
    line line: UInt = #line
  ) -> Value {
    get {
      checkScopeIsCaptured()
      return scope[keyPath]
    }
    set { self = with(keyPath, newValue, fileID: fileID, line: line) }
  }

  /// The value of a dependency in this environment's scope.
  @inlinable
  public subscript<Value>(dynamicMember keyPath: KeyPath<Dependencies, Value>) -> Value {
    checkScopeIsCaptured()
    return scope[keyPath]
  }
}
