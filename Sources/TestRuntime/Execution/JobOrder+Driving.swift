internal import Synchronization

/// The parts of a schedule's run, called by the exploring task.
extension JobOrder {
  /// Runs jobs until the body and what it has left behind have ended, or nothing can run.
  ///
  /// - Returns: How the body has ended, or that something keeps running; `nil` if nothing can run.
  @discardableResult
  package func drain(on executor: TestExecutor) async -> ScheduleEnding? {
    let wait = Wait()
    let begins = state.withLock { state in
      state.waits.pausing = wait
      return state.claimThread()
    }
    if begins { executor.start() }
    _ = await wait.outcome()
    return state.withLock { $0.pause }
  }

  /// Waits for a job from elsewhere, or for a task there that begins to sleep or to wait.
  package func jobArrives(within limit: Duration) async -> Bool {
    let wait = Wait()
    let isIdle = state.withLock { state in
      if state.isIdle { state.waits.arrival = wait }
      return state.isIdle
    }
    if !isIdle || limit == .zero { return !isIdle }
    let isThere = await Countdown(limit).outcome(of: wait) == .fulfilled
    // It may have arrived just when the time was up.
    return isThere || !state.withLock { $0.isIdle }
  }

  /// Gives up waiting for a job that holds its thread, or times out the first wait that can't be fulfilled.
  package func giveUpWaiting() -> Bool {
    if state.withLock({ $0.away.ignore() }) { return true }
    let wait = state.withLock { state in
      state.waits.limited.isEmpty ? nil : state.waits.limited.removeFirst().wait
    }
    wait?.finish(.timedOut)
    return wait != nil
  }

  /// Records that the body has ended; called by its last job.
  package func endBody(_ ending: ScheduleEnding) {
    state.withLock { $0.endBody(ending) }
  }

  /// The tasks that could go on.
  package var restlessTasks: [UInt64] { state.withLock { $0.restlessTasks } }

  /// Cancels the body, which waits for something that can't happen.
  ///
  /// - Returns: Whether it has ended. If it hasn't, it rests until ``end(on:)``.
  package func stop(_ body: Task<Void, Never>, on executor: TestExecutor) async -> Bool {
    state.withLock { $0.beginStopping() }
    executor.asRunning { body.cancel() }
    await drain(on: executor)
    guard state.withLock({ $0.ending != nil }) else {
      state.withLock { $0.restSteps = 0 }
      RunningExecutors.shared.releaseTasks(of: executor)
      return false
    }
    end(on: executor)
    return true
  }

  /// Cancels all sleeps, and lets what is left run on other threads, as far as that ends.
  package func end(on executor: TestExecutor) {
    let (sleepers, waits) = state.withLock { state in
      state.endRun()
      return state.waits.removeAll()
    }
    RunningExecutors.shared.releaseTasks(of: executor)
    for sleeper in sleepers { sleeper.sleep.waitingTask.resume(returning: false) }
    for wait in waits { wait.finish(.timedOut) }
    if state.withLock({ $0.claimThread() }) { executor.start() }
  }

  /// Lets no task go on, after the end, and waits until no thread is inside of a job.
  ///
  /// Without a limit, because a thread can't be stopped, and uses what its job has captured.
  package func rest() async {
    while true {
      let wait = Wait()
      let isInside = state.withLock { state in
        state.restSteps = 0
        guard state.isRunning || !state.away.isEmpty else { return false }
        (state.waits.pausing, state.waits.arrival) = (wait, wait)
        return true
      }
      if !isInside { return }
      _ = await wait.outcome()
    }
  }

  /// The choices so far, of which those at boundaries that nobody noticed count for nothing.
  package var record: ChoiceRecord { state.withLock { $0.recordOfNoticedChoices } }
  /// The switches so far; `nil` if the state is being changed.
  package var switchesIfAvailable: [Schedule.Switch]? {
    state.withLockIfAvailable { $0.record.switches }
  }
  package var trace: ScheduleTrace? { state.withLock { $0.trace } }
  package var findings: RunFindings { state.withLock { $0.findings } }
  /// Whether a job holds its thread, so that it's known to come back.
  package var waitsForThread: Bool { state.withLock { $0.away.areAwaited } }
}

/// What tasks of a schedule wait for: a time, or a choice.
extension JobOrder {
  /// The time that the clocks of the schedule show.
  package var now: Duration { state.withLock { $0.waits.now } }

  /// The tasks that sleep on the clocks of the schedule.
  package var sleepingTasks: [SleepingTask] {
    state.withLock { $0.waits.sleepers.sorted.map(\.sleep.task) }
  }

  package func sleep(until deadline: Duration) async throws {
    noteName()
    let id = state.withLock { $0.waits.sleepers.makeID() }
    let isWoken = await withTaskCancellationHandler {
      await WaitingTask.wait { task in
        // Before the lock: Swift locks the task for this, also while it calls `onCancel`.
        let sleep = Waits.Sleep(
          task: SleepingTask(until: deadline), stack: captureStack(), waitingTask: task)
        let (sleeps, arrival) = state.withLock { state in
          (state.fallAsleep(id, sleep), state.waits.arrival.take())
        }
        arrival?.finish(.fulfilled)
        if !sleeps { task.resume(returning: false) }
      }
    } onCancel: {
      state.withLock { $0.waits.sleepers.cancel(id) }?.waitingTask.resume(returning: false)
    }
    // At its deadline, whether the task runs or is cancelled first depends on the schedule.
    if !isWoken || Task.isCancelled { throw CancellationError() }
  }

  /// Lets any other ready job run; in the plain order, all others that are ready.
  package func choose(_ label: @autoclosure () -> String) async {
    // A task that runs elsewhere has no place in the order.
    guard RunningExecutors.shared.current?.order === self,
      state.withLock({ $0.mayChoose })
    else { return }
    let label = isTraced ? label() : ""
    noteName()
    _ = await WaitingTask.wait { waitingTask in
      let (task, stack) = (TaskID.current, captureStack())
      state.withLock { $0.add(waitingTask, of: task, .choice(label), at: stack) }
    }
  }

  /// Returns which of some errors a call throws, if the schedule lets it fail.
  ///
  /// - Parameter label: Says that the call throws an error.
  package func chooseError(
    among errors: [any Error], _ label: (any Error) -> String
  ) -> (any Error)? {
    guard !errors.isEmpty, RunningExecutors.shared.current?.order === self else { return nil }
    let outcome = state.withLock { $0.chooseOutcome(of: errors.count + 1) }
    if outcome == 0 { return nil }
    let error = errors[outcome - 1]
    if isTraced {
      let (task, label) = (TaskID.current, label(error))
      state.withLock { $0.trace?.fail(task, label) }
    }
    return error
  }
}
