internal import ComposableDependencies

/// Opens resources for an operation, and closes them when it ends.
///
/// This is a *lifetime*. Inside the operation, each resource is an ordinary override:
///
/// ```swift
/// try await withResources(PoolKey.self, CacheKey.self) {
///   try await DependencyScope.current.pool.migrate()
///   try await serve()
/// }
/// ```
///
/// Lifetimes nest: an application's, a session's, a request's. Resources that don't need each other
/// open concurrently. They close one at a time, the last opened first.
///
/// - **Overrides.** A resource that is overridden or set globally isn't opened. In a test,
///   no resource is opened unless the test sets `opensResourcesInTests`.
/// - **Failure.** If an `open` throws, the operation doesn't run: openings in progress are
///   canceled and awaited, open resources are closed, and the first error is thrown. If a `run`
///   throws, the operation is canceled, and that error is thrown unless the operation throws its
///   own error, other than `CancellationError`.
/// - **Cancellation.** If the caller is canceled before the operation begins, the call closes what
///   is open and throws `CancellationError`. `close` is never canceled.
///
/// The operation runs in its own task, so that a failing `run` can cancel it. That task is
/// canceled with the caller, and inherits its task-local values. A closure that you write in an
/// actor's code stays on that actor; in a `nonisolated` method, it runs off its caller's actor.
///
/// - Parameters:
///   - keys: The resources to open. They are opened here, even if an outer lifetime has them.
///   - isolation: The caller's actor. Leave it out.
///   - fileID: The file that issues name.
///   - line: The line that issues name.
///   - operation: Runs in a scope with these resources.
/// - Returns: The result of the operation.
/// - Throws: The error of the operation, of an `open` or of a `run`; `CancellationError`; a
///   ``ResourceError``.
@discardableResult
public func withResources<each Key: ResourceKey, R>(
  _ keys: repeat (each Key).Type,
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  line: UInt = #line,
  operation: @concurrent () async throws -> R
) async throws -> R {
  var all: [any ResourceKey.Type] = []
  for key in repeat each keys { all.append(key) }
  return try await withResources(all, fileID: fileID, line: line, operation: operation)
}

/// Opens resources whose types are known only at run time.
package func withResources<R>(
  _ keys: [any ResourceKey.Type],
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  line: UInt = #line,
  operation: @concurrent () async throws -> R
) async throws -> R {
  try Task.checkCancellation()
  let lifetime = Lifetime(fileID: fileID, line: line)
  for key in keys { lifetime.list(key) }
  if !keys.isEmpty { await lifetime.openListed() }
  let result = await withoutActuallyEscaping(operation) { operation in
    _ = isolation  // Keeps this closure on the caller's actor, which the operation belongs to.
    let lent = LentOperation(operation)
    return lent.result(unless: await lifetime.operate(lent))
  }
  return try result.get()
}

/// The operation, lent to another task while its own task waits, and its result.
// Unchecked. Sound: only one task at a time uses it.
final class LentOperation<R>: @unchecked Sendable {
  private let operation: @concurrent () async throws -> R
  private var result: Result<R, any Error>?

  init(_ operation: @escaping @concurrent () async throws -> R) { self.operation = operation }

  @concurrent func run() async {
    do { result = .success(try await operation()) } catch { result = .failure(error) }
  }

  /// The result, unless the lifetime failed.
  ///
  /// The operation's own error is never masked, apart from its cancellation, which is a consequence
  /// of the failure.
  func result(unless failure: (any Error)?) -> Result<R, any Error> {
    guard let failure else { return result! }
    if case .failure(let error) = result, !(error is CancellationError) { return .failure(error) }
    return .failure(failure)
  }
}
