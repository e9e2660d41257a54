extension DependencyScope {
  /// Runs an operation with exactly this scope in force.
  ///
  /// **Replaces** the current scope: an override of the caller that this scope lacks is not seen
  /// inside. The scope outside is restored however the operation ends.
  ///
  /// ```swift
  /// let scope = DependencyScope.current
  /// queue.async {
  ///   scope.run { upload() }  // a queue has no scope of its own
  /// }
  /// ```
  ///
  /// - Throws: What the operation throws.
  @_alwaysEmitIntoClient
  @discardableResult
  public func run<R, E: Error>(_ operation: () throws(E) -> R) throws(E) -> R {
    try CurrentScope.enter(node.unmarked, operation)
  }

  /// Runs an asynchronous operation with exactly this scope in force, on the caller's actor.
  ///
  /// **Replaces** the current scope: an override of the caller that this scope lacks is not seen
  /// inside. The scope outside is restored however the operation ends.
  ///
  /// - Throws: What the operation throws.
  @_alwaysEmitIntoClient
  @discardableResult
  nonisolated(nonsending) public func run<R, E: Error>(
    _ operation: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await CurrentScope.enter(node.unmarked, operation)
  }
}

/// Overrides dependencies while an operation runs.
///
/// **Adds** to the current scope: what `update` does not set reads as before.
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
///   - update: Sets what the operation shall read. What it reads itself is in the new scope.
///   - operation: Runs in the new scope, as does every task that it makes.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws.
@_alwaysEmitIntoClient
@discardableResult
public func withDependencies<R, E: Error>(
  _ update: (inout Dependencies) -> Void, operation: () throws(E) -> R
) throws(E) -> R {
  let (node, isNew) = CurrentScope.updated(update)
  return try isNew ? CurrentScope.push(node, operation) : operation()
}

/// Overrides dependencies while an asynchronous operation runs, on the caller's actor.
///
/// **Adds** to the current scope: what `update` does not set reads as before.
///
/// - Parameters:
///   - update: Sets what the operation shall read. What it reads itself is in the new scope.
///   - operation: Runs in the new scope, as does every task that it makes.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws.
@_alwaysEmitIntoClient
@discardableResult
nonisolated(nonsending) public func withDependencies<R, E: Error>(
  _ update: (inout Dependencies) -> Void,
  operation: nonisolated(nonsending) () async throws(E) -> R
) async throws(E) -> R {
  let (node, isNew) = CurrentScope.updated(update)
  return try await isNew ? CurrentScope.push(node, operation) : operation()
}
