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
public struct DependencyScope: Sendable {
  @usableFromInline let node: ScopeNode?

  @_alwaysEmitIntoClient
  @_transparent
  package init(node: consuming ScopeNode?) {
    self.node = node
  }
}

extension DependencyScope {
  /// The scope of the running task; outside any scope, one that reads like ``root``.
  @_alwaysEmitIntoClient
  public static var current: DependencyScope {
    DependencyScope(node: CurrentScope.node)
  }

  /// The scope without overrides, over the process's global store.
  public static var root: DependencyScope {
    DependencyScope(node: rootNode)
  }

  private static let rootNode = ScopeNode.bare(over: .process)

  /// Creates a scope without overrides, over a new global store.
  ///
  /// Values written to one store are never visible through another. Scopes built on an isolated
  /// scope keep its store. Keys without a value read the same property as in the current scope:
  /// ``DependencyKey/testValue`` in a test, and otherwise ``DependencyKey/defaultValue``.
  public static func isolated() -> DependencyScope {
    isolated(over: GlobalStore(usesTestValues: current.readsTestValues))
  }

  /// Creates an isolated scope that was made for a test, or for a program.
  package static func isolated(usingTestValues: Bool) -> DependencyScope {
    isolated(over: GlobalStore(usesTestValues: usingTestValues, belongsToTest: usingTestValues))
  }

  private static func isolated(over store: GlobalStore) -> DependencyScope {
    DependencyScope(node: .bare(over: ScopeRoot(store)))
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

// MARK: - The current scope

/// The task-local that holds the current scope, and the only place that binds it.
@usableFromInline
enum CurrentScope {
  /// A structure, because the generic code of task-locals copies an optional in several steps.
  private struct Scope: Sendable {
    var node: ScopeNode?
  }

  @TaskLocal private static var scope = Scope()

  @usableFromInline static var node: ScopeNode? { scope.node }

  /// Whether a scope, or the one around it if it is an environment's, is current.
  static func isCurrent(_ node: Unretained<ScopeNode>) -> Bool {
    let current = Unretained.address(of: self.node)
    if current == 0 { return node == Unretained(.outsideAnyScope) }
    return node.address == current || node.own?.borrow { $0.around.address == current } ?? false
  }
}

extension CurrentScope {
  // The asynchronous functions come in pairs. The library's own calls stay on the caller's actor.
  // Clients' closures go to functions with the types of `TaskLocal.withValue`, because other
  // signatures reject captured values that aren't sendable.
  //
  // All consume the scope, because retaining it twice is a tenth of the time of entering one.

  /// Runs `operation` in exactly this scope; for an environment's, in the one around it.
  @_alwaysEmitIntoClient
  static func enter<R, E: Error>(
    _ node: consuming ScopeNode?, _ operation: () throws(E) -> R
  ) throws(E) -> R {
    do {
      return try bind(node) { try operation() }
    } catch {
      // `withValue` has no typed throws, and throws what its operation throws.
      throw error as! E
    }
  }

  @_alwaysEmitIntoClient
  static func enter<R, E: Error>(
    _ node: consuming ScopeNode?,
    isolation: isolated (any Actor)? = #isolation,
    operation: @concurrent () async throws(E) -> R
  ) async throws(E) -> R {
    var result: Result<R, E>?
    await bind(
      node,
      operation: {
        do throws(E) { result = .success(try await operation()) } catch { result = .failure(error) }
      })
    return try result!.get()
  }

  @_alwaysEmitIntoClient
  nonisolated(nonsending) static func enter<R, E: Error>(
    _ node: consuming ScopeNode?,
    _ operation: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    var result: Result<R, E>?
    await bindStaying(node) {
      do throws(E) { result = .success(try await operation()) } catch { result = .failure(error) }
    }
    return try result!.get()
  }

  @usableFromInline
  static func bind<R>(_ node: consuming ScopeNode?, _ operation: () throws -> R) rethrows -> R {
    if node.isWatched, let note = node.newNote {
      return try $note.withValue(note) { [node = copy node] in try bind(node, operation) }
    }
    return try $scope.withValue(Scope(node: (consume node).entered()), operation: operation)
  }

  /// Runs `operation` in a scope, which is entered unless it is current.
  static func run(in node: ScopeNode?, _ operation: () -> Void) {
    if isCurrent(node.unretained) { return operation() }
    bind(node, operation)
  }

  /// Creates an environment in the scope that belongs to it.
  static func create<Environment>(in node: ScopeNode, _ create: () -> Environment) -> Environment {
    $scope.withValue(Scope(node: node), operation: create)
  }

  // Not generic, so that callers don't look up metadata. `withValue` has no typed throws.

  @usableFromInline
  static func bind(
    _ node: consuming ScopeNode?,
    isolation: isolated (any Actor)? = #isolation,
    operation: @concurrent () async -> Void
  ) async {
    if node.isWatched, let note = node.newNote {
      return await $note.withValue(note) { [node = copy node] in
        await bind(node, operation: operation)
      }
    }
    await $scope.withValue(Scope(node: (consume node).entered()), operation: operation)
  }

  @usableFromInline
  static func bindStaying(
    _ node: consuming ScopeNode?,
    isolation: isolated (any Actor)? = #isolation,
    _ operation: nonisolated(nonsending) () async -> Void
  ) async {
    if node.isWatched, let note = node.newNote {
      let node = copy node
      return await $note.withValue(note) {
        _ = isolation  // As below.
        await bindStaying(node, operation)
      }
    }
    await $scope.withValue(Scope(node: (consume node).entered())) {
      // A closure that captures the actor's parameter stays on the actor; one that captures a copy of
      // it, as `[isolation] in` does, leaves.
      _ = isolation
      await operation()
    }
  }
}

extension CurrentScope {
  /// What the watcher notes about the scopes that were entered around the running code.
  @TaskLocal static var note: (any AnyObject & Sendable)?
}

extension ScopeNode? {
  /// What the watcher of this scope notes where the scope is entered, if that is new.
  fileprivate var newNote: (any AnyObject & Sendable)? {
    store.watcher?.note(entering: self, inside: CurrentScope.note)
  }
}
