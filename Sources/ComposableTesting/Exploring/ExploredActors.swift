/// The executor of actors that run on a test's explored executor.
///
/// It is a separate executor, which distinguishes their jobs from the jobs of nonisolated tasks.
final class ExploredActors: SerialExecutor {
  let run: ScheduleRun
  // Sound: the executor that owns this one sets it once, before any other code knows either.
  nonisolated(unsafe) unowned var executor: TestExecutor!

  init(run: ScheduleRun) {
    self.run = run
  }

  func enqueue(_ job: consuming ExecutorJob) {
    unsafe run.enqueue(UnownedJob(job), isIsolated: true, on: executor)
  }
}
