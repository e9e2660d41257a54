/// The task-local that holds the current scope, and the only place that binds it.
///
/// No other task-local is bound, except while something is recorded or described.
@usableFromInline
enum CurrentScope {
  /// Not an optional, because the generic code of task-locals copies one in several steps.
  private struct Scope: Sendable {
    var node: ScopeNode?
    /// The environment that is being created here.
    var creation: EnvironmentCreation?
  }

  @TaskLocal private static var scope = Scope()

  @usableFromInline static var node: ScopeNode? { scope.node }

  /// The current scope, for a value that captures it.
  @usableFromInline
  static var captured: DependencyScope {
    let scope = scope
    return DependencyScope(node: scope.node, own: scope.creation.map(OwnOverrides.init))
  }

  @usableFromInline
  static func isCurrent(_ node: ScopeNode?) -> Bool {
    node === self.node
  }

  static func isCurrent(_ node: Unretained<ScopeNode>) -> Bool {
    Unretained.optional(self.node) == node
  }
}

// MARK: - Entering

extension CurrentScope {
  /// Runs `operation` in exactly this scope.
  ///
  /// Binds nothing if the scope is already current.
  @_alwaysEmitIntoClient
  static func enter<R, E: Error>(
    _ node: ScopeNode?, _ operation: () throws(E) -> R
  ) throws(E) -> R {
    try isCurrent(node) ? operation() : push(node, operation)
  }

  // The asynchronous functions come in pairs. The library's own calls stay on the caller's actor.
  // Clients' closures go to functions with the types of `TaskLocal.withValue`, because other
  // signatures reject captured values that aren't sendable.

  @_alwaysEmitIntoClient
  static func enter<R, E: Error>(
    _ node: ScopeNode?,
    isolation: isolated (any Actor)? = #isolation,
    operation: @concurrent () async throws(E) -> R
  ) async throws(E) -> R {
    try await isCurrent(node) ? operation() : push(node, operation: operation)
  }

  @_alwaysEmitIntoClient
  nonisolated(nonsending) static func enter<R, E: Error>(
    _ node: ScopeNode?, _ operation: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await isCurrent(node) ? operation() : push(node, operation)
  }

  /// Runs `operation` in a scope that isn't current.
  @_alwaysEmitIntoClient
  static func push<R, E: Error>(
    _ node: ScopeNode?, _ operation: () throws(E) -> R
  ) throws(E) -> R {
    var result: R?
    var failure: E?
    bind(node) {
      do throws(E) { result = try operation() } catch { failure = error }
    }
    if let failure { throw failure }
    return result!
  }

  @_alwaysEmitIntoClient
  nonisolated(nonsending) static func push<R, E: Error>(
    _ node: ScopeNode?, _ operation: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    var result: Result<R, E>?
    await bindStaying(node) {
      do throws(E) { result = .success(try await operation()) } catch { result = .failure(error) }
    }
    return try result!.get()
  }

  @_alwaysEmitIntoClient
  static func push<R, E: Error>(
    _ node: ScopeNode?,
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

  // Not generic, so that callers don't look up metadata. `withValue` has no typed throws.

  @usableFromInline
  static func bind(_ node: ScopeNode?, _ operation: () -> Void) {
    $scope.withValue(Scope(node: node), operation: operation)
  }

  /// Creates an environment in a scope, with overrides that belong to it.
  static func create<Environment>(
    in node: ScopeNode?, _ creation: EnvironmentCreation, _ create: () -> Environment
  ) -> Environment {
    $scope.withValue(Scope(node: node, creation: creation), operation: create)
  }

  @usableFromInline
  static func bind(
    _ node: ScopeNode?,
    isolation: isolated (any Actor)? = #isolation,
    operation: @concurrent () async -> Void
  ) async {
    await $scope.withValue(Scope(node: node), operation: operation)
  }

  @usableFromInline
  static func bindStaying(
    _ node: ScopeNode?,
    isolation: isolated (any Actor)? = #isolation,
    _ operation: nonisolated(nonsending) () async -> Void
  ) async {
    await $scope.withValue(Scope(node: node)) {
      // A closure that captures the actor's parameter stays on the actor; one that captures a copy of
      // it, as `[isolation] in` does, leaves.
      _ = isolation
      await operation()
    }
  }
}
