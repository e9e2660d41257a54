internal import ComposableDependencies

extension Lifetime {
  /// Runs the operation in its own task, which a failing `run` cancels.
  ///
  /// Unless it is cancelled, the same task closes the resources.
  func operate<R>(
    in scope: DependencyScope,
    isolation: isolated (any Actor)? = #isolation,
    _ operation: @concurrent () async throws -> R
  ) async -> Result<R, any Error> {
    let outcome = Outcome<R>()
    await withoutActuallyEscaping(operation) { operation in
      _ = isolation  // What is lent belongs to this actor, and so does this closure.
      let operation = Lent(value: operation)
      let task = task(in: scope) {
        await outcome.set(operation)
        if self.update({ $0.endOperation() }) { await self.closeAll() }
      }
      if update({ $0.beginOperation(task) }) { task.cancel() }
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        update { $0.cancelOperation() }?.cancel()
      }
    }
    return outcome.result(unless: update { $0.failure })
  }
}

/// The operation, lent to another task while its own task waits.
// Unchecked, because only one task at a time uses it.
private struct Lent<Operation>: @unchecked Sendable {
  let value: Operation
}

/// What the operation returned or threw.
// Unchecked, because one task writes it, and another reads it after that one has ended.
private final class Outcome<R>: @unchecked Sendable {
  private var result: Result<R, any Error>?

  @concurrent func set(_ operation: Lent<@concurrent () async throws -> R>) async {
    do { result = .success(try await operation.value()) } catch { result = .failure(error) }
  }

  /// An error of the operation's own is never masked; its cancellation is only a consequence.
  func result(unless failure: (any Error)?) -> Result<R, any Error> {
    guard let failure else { return result! }
    if case .failure(let error) = result, !(error is CancellationError) { return .failure(error) }
    return .failure(failure)
  }
}
