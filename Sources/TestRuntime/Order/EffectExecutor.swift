internal import Synchronization

/// Passes the jobs of one effect to its test's executor, which thereby knows the effect of each
/// job.
package final class EffectExecutor: TaskExecutor {
  /// Describes the effect for a message; `nil` if it has ended.
  let description: @Sendable () -> String?

  private let pass: @Sendable (TestJob) -> Void
  private let task = Atomic<UInt64>(0)

  package init(
    passingTo pass: @escaping @Sendable (TestJob) -> Void,
    description: @escaping @Sendable () -> String?
  ) {
    self.pass = pass
    self.description = description
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    pass(TestJob(job: UnownedJob(job), place: .nonisolated, effect: self))
  }

  /// Remembers the running task as the effect's own.
  package func didStart() {
    task.store(TaskID.current, ordering: .relaxed)
  }

  /// The effect's own task; 0 before it starts.
  package var taskID: UInt64 { task.load(ordering: .relaxed) }
}
