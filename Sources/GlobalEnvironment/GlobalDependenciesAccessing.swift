public import ComposableDependencies

/// A type that reads the dependencies of the current scope, and sets values in its global store.
///
/// Any type can conform. Once a value is set, every later read sees it, on every thread, unless the
/// reading scope overrides the dependency.
@dynamicMemberLookup
public protocol GlobalDependenciesAccessing {}

extension GlobalDependenciesAccessing {
  /// Sets a dependency globally, in the current scope's global store.
  ///
  /// The last value set wins. A scope that overrides the dependency still reads its override.
  /// `Dependencies.setGlobally(_:fileID:line:)` needs no environment.
  ///
  /// - Returns: This value.
  @discardableResult
  public func with<Value>(
    _ keyPath: WritableKeyPath<Dependencies, Value>, _ value: Value,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Self {
    with({ $0.set(keyPath, to: value) }, fileID: fileID, line: line)
  }

  /// Sets dependencies globally, in the current scope's global store.
  ///
  /// Reads inside `update` see global values and defaults, but no override of the current scope.
  ///
  /// - Returns: This value.
  @discardableResult
  public func with(
    _ update: (inout Dependencies) -> Void, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Self {
    DependencyScope.current.setGlobally(update, fileID: fileID, line: line)
    return self
  }

  /// Changes the current scope's global store: it aliases a dependency to another.
  ///
  /// It returns no changed copy. From then on, both dependencies read the same value in every scope
  /// over that store; see `AliasBuilder.alias(_:to:)`.
  ///
  /// - Returns: This value, for a chain of calls.
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

  /// The value of a dependency in the current scope; setting it sets the value globally, like
  /// ``with(_:_:fileID:line:)``.
  public subscript<Value>(
    keyPath: WritableKeyPath<Dependencies, Value>,
    fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> Value {
    get { DependencyScope.current[keyPath] }
    nonmutating set { with(keyPath, newValue, fileID: fileID, line: line) }
  }

  /// The value of a dependency in the current scope.
  public subscript<Value>(dynamicMember keyPath: KeyPath<Dependencies, Value>) -> Value {
    DependencyScope.current[keyPath]
  }
}
