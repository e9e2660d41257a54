@_exported public import ComposableDependencies
@_exported public import Environments

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
/// Declare a dependency, like `client` here, or read it by its name without a declaration:
/// `search.clock` is the clock in the environment's scope.
///
/// An environment is a value, and so are its overrides: ``with(_:_:fileID:line:)`` returns a new
/// environment, whose declared dependencies and derived environments all see the override.
/// Asynchronous effects that capture the environment read the same values on any task, thread or
/// actor.
///
/// The environment's methods don't run in its scope: the code that they call reads the current
/// scope, as everywhere. To run a whole feature in the environment's scope, use `scope.run { … }`.
///
/// If the environment has stored properties that aren't dependencies, implement
/// `ScopeCapturing.adopt(from:)`.
@dynamicMemberLookup
public protocol ComposableEnvironment: ScopeCapturing {}

extension ComposableEnvironment {
  /// Recreates this environment with one more override.
  ///
  /// The declared dependencies and derived environments of the copy see the override; the original
  /// doesn't.
  ///
  /// ```swift
  /// let offline = Search().with(\.apiClient, .offline)
  /// ```
  @_alwaysEmitIntoClient
  public func with<Value>(
    _ keyPath: WritableKeyPath<Dependencies, Value>,
    _ value: Value,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Self {
    with({ $0.set(keyPath, to: value) }, fileID: fileID, line: line)
  }

  /// Recreates this environment with more overrides.
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
    recreated(fileID: fileID, line: line, overriding: update)
  }

  /// Changes the global store of this environment's scope: it aliases a dependency to another.
  ///
  /// It returns no changed copy. From then on, both dependencies read the same value in every scope
  /// over that store; see `AliasBuilder.alias(_:to:)`.
  ///
  /// - Returns: This environment, for a chain of calls.
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

  /// The value of a dependency in this environment's scope.
  ///
  /// Setting it overrides the dependency in place, like ``with(_:_:fileID:line:)``.
  ///
  /// ```swift
  /// parent.child[\.apiClient] = .offline
  /// ```
  public subscript<Value>(
    keyPath: WritableKeyPath<Dependencies, Value>,
    fileID fileID: StaticString = #fileID,
    line line: UInt = #line
  ) -> Value {
    get { value(of: keyPath) }
    set { self = with(keyPath, newValue, fileID: fileID, line: line) }
  }

  /// The value of a dependency in this environment's scope.
  @inlinable
  public subscript<Value>(dynamicMember keyPath: KeyPath<Dependencies, Value>) -> Value {
    value(of: keyPath)
  }
}
