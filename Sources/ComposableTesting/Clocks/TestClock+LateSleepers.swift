internal import Synchronization

extension TestClock {
  /// The tasks that sleep on the clock.
  var sleepers: [SleepingTask] { state.withLock { $0.sleepingTasks } }

  /// Watches a sleeper that may have arrived too late to be woken.
  ///
  /// The test advances its clock when every tracked task has reached its sleep. If that wakes no
  /// task and an untracked task arrives afterward, the test probably waits for that task
  /// permanently. It fails if the task then sleeps for several seconds, and nothing touches the
  /// clock.
  func beginLateSleep(_ id: Int, _ deadline: Instant) {
    let isKnown = unsafe withUnsafeCurrentTask { unsafe $0?.unownedTaskExecutor != nil }
    if isKnown { return }
    let wait = Wait()
    let advance = state.withLock { state in
      if state.idleAdvance != nil { state.lateSleepers[id] = wait }
      return state.idleAdvance
    }
    guard let advance else { return }
    Task {
      guard await TimeLimit(patience, on: testRun.executor).outcome(of: wait) == .timedOut,
        !testRun.hasEnded, let sleeper = state.withLock({ $0.cancel(id) })
      else { return }
      TestFailure.record(
        """
        A task began to sleep on the test's clock after `advance` found no task to wake. It sleeps until \
        \(deadline.offset), the clock shows \(now.offset), and nothing advances it. The test doesn't \
        track that task, so `advance` didn't wait for it.
          Instead: call `await clock.sleepers(atLeast: 1)` before you advance the clock. Or give the test \
        a trait such as `.isolatedDependencies`, and start the work as a child task (`async let`, a group).
        """, at: advance)
      sleeper.continuation.resume(throwing: SuspensionError(now: now, deadlines: [deadline]))
    }
  }

  func endLateSleep(_ id: Int) {
    state.withLock { $0.lateSleepers.removeValue(forKey: id) }?.end(.fulfilled)
  }

  /// Ends all watches, because the test continues and so doesn't wait for any of these tasks.
  func endLateSleeps() {
    let waits = state.withLock { state in
      defer {
        state.lateSleepers = [:]
        state.idleAdvance = nil
      }
      return Array(state.lateSleepers.values)
    }
    for wait in waits { wait.end(.fulfilled) }
  }
}
