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
///   DependencyScope.current.retryLimit  // 5, here and in its child tasks
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
@frozen
public struct DependencyScope: Sendable {
  @usableFromInline let node: ScopeNode?

  @_alwaysEmitIntoClient
  @_transparent
  package init(node: consuming ScopeNode?) {
    self.node = node
  }

  /// The scope of the running task; outside any scope, one that reads like ``root``.
  @_alwaysEmitIntoClient
  public static var current: DependencyScope {
    DependencyScope(node: CurrentScope.node)
  }

  /// The scope without overrides, over the process's global store.
  public static var root: DependencyScope {
    DependencyScope(node: rootNode)
  }

  private static let rootNode = ScopeNode(bareOver: .process)

  /// Creates a scope without overrides, over a new global store.
  ///
  /// Values written to one store are never visible through another. Scopes built on an isolated
  /// scope keep its store. Keys without a value read the same property as in the current scope:
  /// ``DependencyKey/testValue`` in a test, and otherwise ``DependencyKey/defaultValue``.
  public static func isolated() -> DependencyScope {
    isolated(usingTestValues: current.readsTestValues)
  }

  /// Creates an isolated scope that reads test values, or default values.
  package static func isolated(usingTestValues: Bool) -> DependencyScope {
    let root = ScopeRoot(GlobalStore(usesTestValues: usingTestValues))
    return DependencyScope(node: ScopeNode(bareOver: root))
  }
}

// MARK: - Entering

extension DependencyScope {
  /// Runs an operation in exactly this scope.
  ///
  /// **Replaces** the current scope: `operation` doesn't see the caller's overrides, only those of
  /// this scope. The outer scope is restored when `operation` returns or throws.
  ///
  /// ```swift
  /// let scope = DependencyScope.current
  /// queue.async {
  ///   scope.run { upload() }  // a queue has no scope of its own
  /// }
  /// ```
  ///
  /// - Throws: The error that `operation` throws.
  @_alwaysEmitIntoClient
  @discardableResult
  public func run<R, E: Error>(_ operation: () throws(E) -> R) throws(E) -> R {
    try CurrentScope.enter(node, operation)
  }

  /// Runs an asynchronous operation in exactly this scope.
  ///
  /// **Replaces** the current scope: `operation` doesn't see the caller's overrides, only those of
  /// this scope. The outer scope is restored when `operation` returns or throws.
  ///
  /// A closure that you write in an actor's code stays on that actor, and the values that it
  /// captures needn't be sendable. In a `nonisolated` method, the closure runs off its caller's
  /// actor, as one passed to `TaskLocal.withValue` does: see
  /// <doc:TasksQueuesAndCallbacks#Operations-in-nonisolated-methods>.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor. Leave it out.
  ///   - operation: The closure to run in this scope.
  /// - Throws: The error that `operation` throws.
  @_alwaysEmitIntoClient
  @discardableResult
  public func run<R, E: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ operation: @concurrent () async throws(E) -> R
  ) async throws(E) -> R {
    try await CurrentScope.enter(node, operation: operation)
  }

  /// Runs an asynchronous operation in exactly this scope, on the caller's actor.
  ///
  /// For the library's own closures.
  @_alwaysEmitIntoClient
  nonisolated(nonsending) package func enter<R, E: Error>(
    _ operation: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await CurrentScope.enter(node, operation)
  }
}
