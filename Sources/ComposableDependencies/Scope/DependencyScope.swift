/// An immutable snapshot of the overrides in force, on top of a global store.
///
/// The *current* scope is the one that the running task is in. Entering a scope with `run` or
/// `withDependencies` pushes it on the task's stack of scopes, leaving pops it. Child tasks are in
/// the scope in which they were made:
///
/// ```swift
/// withDependencies {
///   $0.retryLimit = 5
/// } operation: {
///   DependencyScope.current.retryLimit  // 5, here and in every task made here
/// }
/// ```
///
/// A scope can be *captured*, by a value or a closure, and read wherever that ends up: it reads the
/// same overrides for ever, whatever is done elsewhere. What is set in its global store is seen
/// live, for every dependency that the scope does not override.
///
/// A scope is one reference: capturing and copying it cost a retain. Its memory is bounded by the
/// number of distinct dependencies it overrides, however deep the nesting that made it.
@dynamicMemberLookup
public struct DependencyScope: Sendable {
  @usableFromInline let node: OverrideNode?

  @usableFromInline
  init(node: OverrideNode?) {
    self.node = node
  }
}

extension DependencyScope {
  /// The scope that the running task is in; where it is in none, one that reads as ``root`` does.
  @_alwaysEmitIntoClient
  public static var current: DependencyScope {
    DependencyScope(node: CurrentScope.current)
  }

  /// The scope without overrides, over the global store of the process.
  public static var root: DependencyScope {
    DependencyScope(node: rootNode)
  }

  private static let rootNode = OverrideNode(table: OverrideTable(store: .process))

  /// A new scope without overrides, over a new global store.
  ///
  /// Nothing written to one store is ever seen through another. A scope captured in an isolated
  /// one keeps its store.
  public static func isolated() -> DependencyScope {
    isolated(usingTestValues: false)
  }

  /// A new isolated scope, in which the default of a key is its ``DependencyKey/testValue``.
  package static func isolated(usingTestValues: Bool) -> DependencyScope {
    let store = GlobalStore(usesTestValues: usingTestValues)
    return DependencyScope(node: OverrideNode(table: OverrideTable(store: store)))
  }
}

extension DependencyScope {
  /// The value of a dependency in this scope.
  @_alwaysEmitIntoClient
  public subscript<Value>(keyPath: KeyPath<Dependencies, Value>) -> Value {
    Dependencies(node: node)[keyPath: keyPath]
  }

  /// The value of a dependency in this scope.
  @_alwaysEmitIntoClient
  public subscript<Value>(dynamicMember keyPath: KeyPath<Dependencies, Value>) -> Value {
    Dependencies(node: node)[keyPath: keyPath]
  }

  /// The value of a key in this scope; for one that has no property, or where a read must be as
  /// fast as can be.
  @_alwaysEmitIntoClient
  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    Dependencies(node: node)[key]
  }

  /// A scope with one more override; this one stays as it is.
  ///
  /// The last override of a dependency wins. A call costs the same however many are in force.
  ///
  /// - Note: Swift reads a property before it sets it through a key path, so the default of one that
  ///   is not overridden yet is computed. ``with(_:)`` sets it without that.
  @_alwaysEmitIntoClient
  public func with<Value>(
    _ keyPath: WritableKeyPath<Dependencies, Value>, _ value: Value
  ) -> DependencyScope {
    with { $0[keyPath: keyPath] = value }
  }

  /// A scope with more overrides; this one stays as it is.
  ///
  /// ```swift
  /// let scope = DependencyScope.current.with {
  ///   $0.retryLimit = 0
  ///   $0.apiClient.timeout *= 2
  /// }
  /// ```
  @_alwaysEmitIntoClient
  public func with(_ update: (inout Dependencies) -> Void) -> DependencyScope {
    var dependencies = Dependencies(node: node.unmarked)
    update(&dependencies)
    return DependencyScope(node: dependencies.node)
  }
}

extension DependencyScope {
  /// What tells this snapshot from all others that exist.
  @_alwaysEmitIntoClient
  package var identity: UInt { unsafe unsafeBitCast(node, to: UInt.self) }

  /// This scope as it is in force: what reads it does not know which overrides are whose.
  @_alwaysEmitIntoClient
  package var inForce: DependencyScope { DependencyScope(node: node.unmarked) }

  /// Whether this was built where no scope was: in a task or on a thread that had lost its own.
  package var isLost: Bool { node.isLost }
}
