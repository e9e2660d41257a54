internal import Dispatch

/// Runs the jobs of tasks one after the other on a dispatch queue.
final class QueueTaskExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "task")

  // Sound: the closure keeps the executor that the job runs on.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Returns when the jobs that are here have run, each as far as it gets.
  func waitForJobs() async {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
  }
}
