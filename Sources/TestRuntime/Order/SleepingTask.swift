/// A task that sleeps on a test's clock.
// Sound: the executor is only compared. The sleeping task retains it, this doesn't.
@safe package struct SleepingTask: Sendable {
  package let id: UInt64
  package let deadline: Duration
  let name = TaskID.currentName
  /// The executor that the task prefers.
  private let executor: UnownedTaskExecutor?

  /// Describes the running task, which is about to sleep.
  package init(until deadline: Duration) {
    id = TaskID.current
    unsafe executor = withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor }
    self.deadline = deadline
  }

  /// Whether the task is an effect's own, or a child of it.
  package func belongs(to effect: EffectExecutor) -> Bool {
    unsafe executor == effect.asUnownedTaskExecutor()
  }
}
