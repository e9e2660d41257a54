internal import Dispatch
internal import Synchronization

/// Runs jobs one at a time, in the order in which they come, and knows when there are none.
///
/// A task that prefers it has every job here: after each suspension, of its child tasks, and of the
/// default actors that it calls. So "no job is here" means that each such task has ended, or waits
/// for something else: a clock, another executor, a continuation.
///
/// It is a serial executor too, so that an actor's jobs take their place in the same order.
package final class TestExecutor: TaskExecutor, SerialExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    /// The first of the jobs that is still to run.
    var next = 0
    var isRunning = false
    var waits: [Wait] = []

    mutating func nextJob() -> UnownedJob? {
      guard next < jobs.count else {
        jobs.removeAll(keepingCapacity: true)
        next = 0
        return nil
      }
      defer { next += 1 }
      return jobs[next]
    }
  }

  private enum Step {
    case run(UnownedJob)
    case tell(Wait)
    case stop
  }

  private let state = Mutex(State())
  // Shared, so that a hundred tests side by side take turns on a few threads.
  private static let threads = DispatchQueue.global()

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { Self.threads.async { self.run() } }
  }

  /// How many jobs run before it is the turn of what else waits for a thread.
  private static let turn = 64

  private func run() {
    for _ in 0..<Self.turn {
      let step: Step = state.withLock { state in
        if let job = state.nextJob() { return .run(job) }
        // One after the other: the first may bring new jobs, for which the next has to wait.
        if !state.waits.isEmpty { return .tell(state.waits.removeFirst()) }
        state.isRunning = false
        return .stop
      }
      switch step {
      case .run(let job):
        // Sound: the executor lives as long as the closure that runs this.
        unsafe job.runSynchronously(
          isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      case .tell(let wait):
        wait.end(.fulfilled)
      case .stop:
        return
      }
    }
    Self.threads.async { self.run() }
  }

  /// Returns when no job is here and none runs, or when the time is up.
  package func idle(within limit: Duration) async -> Wait.Outcome {
    let wait = Wait()
    let isIdle = state.withLock { state in
      if state.isRunning { state.waits.append(wait) }
      return !state.isRunning
    }
    return isIdle ? .fulfilled : await wait.outcome(within: limit)
  }
}
