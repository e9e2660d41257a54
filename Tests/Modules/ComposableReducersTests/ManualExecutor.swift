import Synchronization

/// Runs jobs only when it is asked to.
final class ManualExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs the jobs, and those that they enqueue.
  func drain() {
    while runNext() {}
  }

  /// Runs one job, and returns whether there was one.
  @discardableResult
  func runNext() -> Bool {
    guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return false }
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    return true
  }
}
