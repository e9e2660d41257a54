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
    let current = self.node.unretained
    return node == current || node.around == current
  }

  /// What the watcher notes about the scopes that were entered around the running code.
  @TaskLocal static var note: (any AnyObject & Sendable)?

  // MARK: - Entering

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

extension ScopeNode? {
  /// What the watcher of this scope notes where the scope is entered, if that is new.
  fileprivate var newNote: (any AnyObject & Sendable)? {
    store.watcher?.note(entering: self)
  }
}
