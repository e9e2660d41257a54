internal import Dispatch

/// Runs the jobs of tasks one at a time on a dispatch queue.
final class QueueTaskExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "task")

  // Sound: the closure retains the executor that the job runs on.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Waits until the current jobs have run as far as they can.
  func waitForJobs() async {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
  }
}
