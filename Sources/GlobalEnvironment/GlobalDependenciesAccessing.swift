public import ComposableDependencies

/// Reads the dependencies of the current scope, and sets those of its global store.
///
/// Any type can conform, environment or not. A value that is set is seen by every later read of a
/// dependency that the reading scope does not override, on every thread.
@dynamicMemberLookup
public protocol GlobalDependenciesAccessing {}

extension GlobalDependenciesAccessing {
  /// Sets a dependency for everyone whose scope has the current global store.
  ///
  /// The last value set wins. A scope that overrides the dependency goes on reading its override.
  ///
  /// - Returns: This value.
  @discardableResult
  public func with<Value>(_ keyPath: WritableKeyPath<Dependencies, Value>, _ value: Value) -> Self {
    with { $0[keyPath: keyPath] = value }
  }

  /// Sets dependencies for everyone whose scope has the current global store.
  ///
  /// What `update` reads is a global value or a default, not an override of the current scope.
  ///
  /// - Returns: This value.
  @discardableResult
  public func with(_ update: (inout Dependencies) -> Void) -> Self {
    DependencyScope.current.setGlobally(update)
    return self
  }

  /// Makes two dependencies one, in the current global store.
  ///
  /// They read the same value from then on, in every scope over that store; see
  /// ``/ComposableDependencies/AliasBuilder/alias(_:to:)`` for what that means.
  ///
  /// - Returns: This value.
  @discardableResult
  public func aliasing<Value>(
    _ dependency: any WritableKeyPath<Dependencies, Value> & Sendable,
    to target: any WritableKeyPath<Dependencies, Value> & Sendable,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Self {
    DependencyScope.current.alias(dependency, to: target, fileID: fileID, line: line)
    return self
  }

  /// The value of a dependency in the current scope; setting it is ``with(_:_:)``.
  public subscript<Value>(keyPath: WritableKeyPath<Dependencies, Value>) -> Value {
    get { DependencyScope.current[keyPath] }
    nonmutating set { with(keyPath, newValue) }
  }

  /// The value of a dependency in the current scope.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Dependencies, Value>) -> Value {
    DependencyScope.current[keyPath]
  }
}
