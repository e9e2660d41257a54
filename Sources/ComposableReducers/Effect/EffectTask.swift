internal import Synchronization

/// The task of one effect, from before it starts until its operation has returned.
final class EffectTask: Sendable {
  private struct State {
    var isCancelled = false
    var task: Task<Void, Never>?
  }

  private let priority: TaskPriority
  private let state = Mutex(State())

  init(priority: TaskPriority?) {
    self.priority = priority ?? Task.currentPriority
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Starts the operation; one that was cancelled before never starts.
  ///
  /// - Parameter executor: Where it runs, if not where tasks do.
  func start(
    on executor: (any TaskExecutor)?,
    _ operation: @escaping @Sendable () async -> Void,
    onFinish: @escaping @Sendable () -> Void
  ) {
    // The task waits for the lock, so whoever cancels what has started finds the task.
    state.withLock { state in
      state.task =
        if let executor {
          Task(executorPreference: executor, priority: priority) {
            await self.run(operation, onFinish)
          }
        } else {
          Task(priority: priority) { await self.run(operation, onFinish) }
        }
    }
  }

  private func run(_ operation: () async -> Void, _ onFinish: () -> Void) async {
    if !isCancelled { await operation() }
    onFinish()
    state.withLock { $0.task = nil }
  }

  /// Lets nothing more be started or sent; what runs is told by ``cancel()``.
  func markAsCancelled() {
    state.withLock { $0.isCancelled = true }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}
