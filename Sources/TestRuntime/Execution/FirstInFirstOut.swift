internal import Synchronization

/// Runs jobs in the order in which they become ready.
package final class FirstInFirstOut: JobOrder {
  package static let isExplored = false

  private struct State {
    var jobs = Queue<TestJob>()
    var isRunning = false
    /// Waits until nothing can run, each with the activity when it began.
    var idleWaits: [(wait: Wait, start: Int)] = []
    /// The number of waits for an event.
    var limitedWaits = 0
    /// Whether tasks may run elsewhere.
    var hasOthers: Bool

    /// The number of jobs, waits and sleeps so far.
    var activity = 0
    var isWatched = false
    /// The effect of the last job that belonged to one.
    var lastEffect: EffectExecutor?
  }

  private let state: Mutex<State>

  /// - Parameter hasOthers: Whether the test may start tasks that run elsewhere.
  package init(hasOthers: Bool = true) {
    state = Mutex(State(hasOthers: hasOthers))
  }

  package func add(_ job: TestJob, isOutside: Bool) -> Bool {
    state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
  }

  /// The number of steps after which a wait gives up, because something keeps running.
  private static let stepLimit = 1_000_000

  package func next() -> TestStep? {
    state.withLock { state in
      if let first = state.idleWaits.first, state.activity - first.start > Self.stepLimit {
        state.idleWaits.removeFirst()
        return .call { first.wait.finish(.timedOut) }
      }
      if let job = state.jobs.popFirst() {
        state.activity += 1
        if let effect = job.effect { state.lastEffect = effect }
        return .run(job)
      }
      // One at a time: the first may add jobs, and the next must wait for these, too.
      if !state.idleWaits.isEmpty { return .finish(state.idleWaits.removeFirst().wait) }
      state.isRunning = false
      return nil
    }
  }

  package var hasWaitingJobs: Bool {
    state.withLock { !$0.jobs.isEmpty || !$0.idleWaits.isEmpty }
  }

  package func idle(within limit: Countdown) async -> Wait.Outcome {
    let wait = Wait()
    let isRunning = state.withLock { state in
      state.activity += 1
      if state.isRunning { state.idleWaits.append((wait, state.activity)) }
      return state.isRunning
    }
    if !isRunning { return .fulfilled }
    // A job that waits doesn't block its thread, so the number of steps limits its wait. Code
    // elsewhere needs a limit in time, too.
    if RunningExecutors.shared.current?.order === self { return await wait.outcome() }
    let outcome = await limit.outcome(of: wait)
    if outcome == .timedOut { state.withLock { $0.idleWaits.removeAll { $0.wait === wait } } }
    return outcome
  }

  package func outcome(of wait: Wait, within limit: Countdown) async -> Wait.Outcome {
    state.withLock { state in
      state.limitedWaits += 1
      state.activity += 1
    }
    defer { state.withLock { $0.limitedWaits -= 1 } }
    return await limit.outcome(of: wait)
  }

  package var busyEffect: String? { state.withLock { $0.lastEffect }?.description() }

  /// Waits for tasks that are ready elsewhere, as far as that is possible.
  ///
  /// Swift's pool runs the tasks of one priority in order, but may run others before them.
  package func yieldToOthers() async -> Bool {
    guard state.withLock({ $0.hasOthers }) else { return false }
    let priority = Task.currentPriority
    for _ in 0..<20 {
      for priority in [priority, .background] {
        let other = RunningExecutors.shared.with(nil) {
          Task.detached(priority: priority) { await Task.yield() }
        }
        await other.value
      }
    }
    return true
  }

  package func whenSilent(for limit: Duration, _ action: @escaping @Sendable () -> Void) {
    let isNew = state.withLock { state in
      state.activity += 1
      defer { state.isWatched = true }
      return !state.isWatched
    }
    guard isNew else { return }
    // Not detached, so that a failure belongs to the test.
    _ = RunningExecutors.shared.with(nil) {
      Task { [weak self] in
        var silentSteps = 0
        while silentSteps < 5 {
          let before = self?.activity
          _ = await Countdown(limit / 5).outcome(of: Wait())
          guard let self else { return }
          silentSteps = before != nil && before == self.activity ? silentSteps + 1 : 0
        }
        // Before the action, which may resume a task that begins to sleep again.
        self?.state.withLock { $0.isWatched = false }
        action()
      }
    }
  }

  /// Changes with everything that the test does; `nil` while something runs, or while the test waits
  /// within a limit of its own.
  private var activity: Int? {
    state.withLock { $0.isRunning || $0.limitedWaits > 0 ? nil : $0.activity }
  }

  package func noteDeparture(_ text: String) {
    state.withLock { $0.hasOthers = true }
  }
}
