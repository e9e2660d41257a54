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
  /// `operation` runs where a closure passed to `TaskLocal.withValue` runs, and can capture the
  /// same values: a closure written on an actor stays on it, and captured values needn't be
  /// sendable.
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

/// Overrides dependencies while an operation runs.
///
/// **Adds** to the current scope: dependencies that `update` doesn't set read as before.
///
/// ```swift
/// withDependencies {
///   $0.retryLimit = 0
///   $0.apiClient = .offline
/// } operation: {
///   refresh()
/// }
/// ```
///
/// - Parameters:
///   - update: Overrides dependencies for `operation`. Reads inside this closure see the overrides
///     made so far.
///   - fileID: The file that `explain()` names.
///   - line: The line that `explain()` names.
///   - operation: Runs in the new scope, as does every task that it creates.
/// - Returns: The result of `operation`.
/// - Throws: The error that `operation` throws.
@_alwaysEmitIntoClient
@discardableResult
public func withDependencies<R, E: Error>(
  _ update: (inout Dependencies) -> Void,
  fileID: StaticString = #fileID, line: UInt = #line,
  operation: () throws(E) -> R
) throws(E) -> R {
  let (node, isNew) = CurrentScope.updated(fileID: fileID, line: line, update)
  return try isNew ? CurrentScope.push(node, operation) : operation()
}

/// Overrides dependencies while an asynchronous operation runs.
///
/// **Adds** to the current scope: dependencies that `update` doesn't set read as before.
///
/// `operation` runs where a closure passed to `TaskLocal.withValue` runs, and can capture the same
/// values: a closure written on an actor stays on it, and captured values needn't be sendable.
///
/// - Parameters:
///   - isolation: The caller's actor. Leave it out.
///   - update: Overrides dependencies for `operation`. Reads inside this closure see the overrides
///     made so far.
///   - fileID: The file that `explain()` names.
///   - line: The line that `explain()` names.
///   - operation: Runs in the new scope, as does every task that it creates.
/// - Returns: The result of `operation`.
/// - Throws: The error that `operation` throws.
@_alwaysEmitIntoClient
@discardableResult
public func withDependencies<R, E: Error>(
  isolation: isolated (any Actor)? = #isolation,
  _ update: (inout Dependencies) -> Void,
  fileID: StaticString = #fileID, line: UInt = #line,
  operation: @concurrent () async throws(E) -> R
) async throws(E) -> R {
  let (node, isNew) = CurrentScope.updated(fileID: fileID, line: line, update)
  return try await isNew ? CurrentScope.push(node, operation: operation) : operation()
}
