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
      await withTaskCancellationHandler {
        await task(in: scope, atOnce: true) {
          let mayClose = await self.operate { await outcome.set(operation) }
          if mayClose { await self.closeAll() }
        }.value
      } onCancel: {
        cancel(update { $0.cancelOperation() })
      }
    }
    return outcome.result(unless: update { $0.failure })
  }

  /// Runs the operation in the current task.
  ///
  /// - Returns: Whether this task may close the resources, because it isn't cancelled.
  private func operate(
    _ operation: @escaping @Sendable @concurrent () async -> Void
  ) async -> Bool {
    // It may run before its creator has the task, so it says itself which one to cancel.
    await unsafe withUnsafeCurrentTask { task in
      let task = unsafe OperationTask(task: task!)
      cancel(update { $0.beginOperation(task) })
      await operation()
      update { $0.endOperation() }
      // Nothing may use the reference after this closure.
      await wait { !$0.isCancellingOperation }
      return !Task.isCancelled
    }
  }

  /// Cancels the operation, outside the lock, because that runs cancellation handlers.
  func cancel(_ operation: OperationTask?) {
    guard let operation else { return }
    operation.cancel()
    update { $0.isCancellingOperation = false }
  }
}

/// The task of an operation, while it runs.
///
/// A class, because copying the reference of another module costs more.
// Unchecked, because only `cancel` is called from other tasks, which is safe; and only until the
// closure of `withUnsafeCurrentTask` ends, which waits for it.
@safe
final class OperationTask: @unchecked Sendable {
  private let task: UnsafeCurrentTask

  init(task: UnsafeCurrentTask) { unsafe self.task = task }

  func cancel() { unsafe task.cancel() }
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
