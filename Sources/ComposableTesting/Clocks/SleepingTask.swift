/// A task that sleeps on a test's clock.
// Sound: the executor is only compared. The sleeping task retains it, this doesn't.
@safe struct SleepingTask {
  /// The address of the task, for comparisons.
  let address: UInt
  let deadline: TestClock.Instant
  /// The executor that the task prefers.
  private let executor: UnownedTaskExecutor?

  /// Describes the running task, which is about to sleep.
  init(until deadline: TestClock.Instant) {
    address = currentTaskAddress
    unsafe executor = withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor }
    self.deadline = deadline
  }

  /// Whether the task is an effect's own, or a child of it.
  func belongs(to effect: EffectExecutor) -> Bool {
    unsafe executor == effect.asUnownedTaskExecutor()
  }
}
