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
///   - operation: Runs in the new scope, as do the tasks that it creates, except detached ones.
/// - Returns: The result of `operation`.
/// - Throws: The error that `operation` throws.
@_alwaysEmitIntoClient
@discardableResult
public func withDependencies<R, E: Error>(
  _ update: (inout Dependencies) -> Void,
  fileID: StaticString = #fileID, line: UInt = #line,
  operation: () throws(E) -> R
) throws(E) -> R {
  let (node, isNew) = updatedCurrentScope(fileID: fileID, line: line, update)
  return try isNew ? CurrentScope.push(node, operation) : operation()
}

/// Overrides dependencies while an asynchronous operation runs.
///
/// **Adds** to the current scope: dependencies that `update` doesn't set read as before.
///
/// A closure that you write in an actor's code stays on that actor, and the values that it captures
/// needn't be sendable. In a `nonisolated` method, the closure runs off its caller's actor, as one
/// passed to `TaskLocal.withValue` does: see <doc:Lifetimes#Operations-in-nonisolated-methods>.
///
/// - Parameters:
///   - isolation: The caller's actor. Leave it out.
///   - update: Overrides dependencies for `operation`. Reads inside this closure see the overrides
///     made so far.
///   - fileID: The file that `explain()` names.
///   - line: The line that `explain()` names.
///   - operation: Runs in the new scope, as do the tasks that it creates, except detached ones.
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
  let (node, isNew) = updatedCurrentScope(fileID: fileID, line: line, update)
  return try await isNew ? CurrentScope.push(node, operation: operation) : operation()
}

/// The current scope with more overrides, and whether that is a different scope.
@_alwaysEmitIntoClient
func updatedCurrentScope(
  fileID: StaticString, line: UInt, _ update: (inout Dependencies) -> Void
) -> (node: ScopeNode?, isNew: Bool) {
  let node = CurrentScope.node
  // Sound: the references are only compared. Another one would cost a retain.
  let before = unsafe unsafeBitCast(node, to: UInt.self)
  let updated = node.updated(fileID: fileID, line: line, update)
  let after = unsafe unsafeBitCast(updated, to: UInt.self)
  return (updated, before != after)
}
