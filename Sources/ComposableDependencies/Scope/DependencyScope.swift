/// An immutable snapshot of overrides, on top of a global store.
///
/// The *current* scope is the scope of the running task. Entering a scope with `run` or
/// `withDependencies` pushes it on the task's stack of scopes, and leaving it pops it. A child task
/// starts in the scope that created it:
///
/// ```swift
/// withDependencies {
///   $0.retryLimit = 5
/// } operation: {
///   DependencyScope.current.retryLimit  // 5, here and in every task created here
/// }
/// ```
///
/// A value or a closure can *capture* a scope. A captured scope permanently reads the same
/// overrides, on any task, thread or actor. Values in its global store stay live: each read sees
/// the latest value of a dependency that the scope doesn't override.
///
/// A scope needs memory for the distinct dependencies that it overrides, however deeply scopes were
/// nested to build it.
@dynamicMemberLookup
public struct DependencyScope: Sendable {
  @usableFromInline let node: ScopeNode?
  /// The overrides that were set on the environment that captured this scope; `nil` in most scopes.
  @usableFromInline let own: OwnOverrides?

  @usableFromInline
  init(node: ScopeNode?, own: OwnOverrides? = nil) {
    self.node = node
    self.own = own
  }
}

extension DependencyScope {
  /// The scope of the running task; outside any scope, one that reads like ``root``.
  @_alwaysEmitIntoClient
  public static var current: DependencyScope {
    CurrentScope.captured
  }

  /// The scope without overrides, over the process's global store.
  public static var root: DependencyScope {
    DependencyScope(node: rootNode)
  }

  private static let rootNode = ScopeNode.bare(over: ScopeRoot(owner: .process))

  /// Creates a scope without overrides, over a new global store.
  ///
  /// Values written to one store are never visible through another. Scopes built on an isolated
  /// scope keep its store.
  public static func isolated() -> DependencyScope {
    isolated(usingTestValues: false)
  }

  /// Creates an isolated scope that reads ``DependencyKey/testValue`` instead of default values.
  package static func isolated(usingTestValues: Bool) -> DependencyScope {
    let store = GlobalStore(usesTestValues: usingTestValues)
    return DependencyScope(node: .bare(over: ScopeRoot(owner: StoreOwner(store))))
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

  /// The value of a key in this scope.
  ///
  /// Use it for a key without a property, or for the fastest possible read.
  @_alwaysEmitIntoClient
  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    Dependencies(node: node)[key]
  }

  /// Returns a scope with one more override.
  ///
  /// This scope stays unchanged.
  ///
  /// The last override of a dependency wins. The cost doesn't depend on the number of overrides.
  ///
  /// - Note: Swift reads a property before it sets it through a key path, which computes the
  ///   default of a dependency without an override. ``with(_:fileID:line:)`` doesn't.
  ///
  /// - Parameters:
  ///   - keyPath: The dependency.
  ///   - value: Its value in the new scope.
  ///   - fileID: The file that `explain()` names.
  ///   - line: The line that `explain()` names.
  @_alwaysEmitIntoClient
  public func with<Value>(
    _ keyPath: WritableKeyPath<Dependencies, Value>, _ value: Value,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> DependencyScope {
    with({ $0[keyPath: keyPath] = value }, fileID: fileID, line: line)
  }

  /// Returns a scope with more overrides.
  ///
  /// This scope stays unchanged.
  ///
  /// ```swift
  /// let scope = DependencyScope.current.with {
  ///   $0.retryLimit = 0
  ///   $0.apiClient.timeout *= 2
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - update: Overrides dependencies. Reads inside this closure see the overrides made so far.
  ///   - fileID: The file that `explain()` names.
  ///   - line: The line that `explain()` names.
  @_alwaysEmitIntoClient
  public func with(
    _ update: (inout Dependencies) -> Void, fileID: StaticString = #fileID, line: UInt = #line
  ) -> DependencyScope {
    DependencyScope(node: node.updated(fileID: fileID, line: line, update))
  }
}

extension DependencyScope {
  /// Identifies this snapshot among all that exist.
  @_alwaysEmitIntoClient
  // Sound: the reference is only compared.
  package var identity: UInt { unsafe unsafeBitCast(node, to: UInt.self) }

  /// Whether this scope was built outside any scope, by a task or thread that lost its own.
  package var isLost: Bool { node.isLost }
}

// MARK: - Looking at a scope

extension DependencyScope {
  /// Every override of this scope.
  package var overrides: [Override] { node.overrides }

  /// The overrides of this scope that `scope`, which it was built on, doesn't have.
  package func overrides(addedTo scope: DependencyScope) -> [Override] {
    node?.overrides(addedTo: scope.node) ?? []
  }

  /// The override that was set last, if it is known.
  package var newestOverride: Override? { node?.newest?.object }

  /// Where this scope gets a key's value.
  package func source(of key: any DependencyKey.Type) -> InputSource {
    node.source(of: key, isRead: false)
  }

  /// Every value of this scope's global store.
  package var globalValues: [Override] { node.store.values }

  /// The global value of a key, whether or not this scope overrides it.
  package func globalValue(of key: any DependencyKey.Type) -> Override? {
    if case .global(let value) = node.store.source(of: key, in: nil) { value } else { nil }
  }
}
