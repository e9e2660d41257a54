internal import Synchronization

/// The ways in which tasks of a run wait: for a time, for a choice, or until nothing else can run.
extension ScheduleRun {
  /// The time that the clocks of this run show.
  var now: Duration { state.withLock { $0.now } }

  func sleep(until deadline: Duration) async throws {
    noteName()
    let id = state.withLock { $0.makeSleeper() }
    let isWoken = await withTaskCancellationHandler {
      await WaitingTask.wait { task in
        let (sleeps, arrival): (Bool, Wait?) = state.withLock { state in
          // A stopped run might never end if sleeps continued.
          guard state.phase == .running || state.phase == .ended else { return (true, nil) }
          return (state.fallAsleep(id, until: deadline, task), state.arrival.take())
        }
        arrival?.end(.fulfilled)
        if !sleeps { task.resume(returning: false) }
      }
    } onCancel: {
      let task = state.withLock { $0.phase == .abandoned ? nil : $0.cancelSleeper(id) }
      task?.resume(returning: false)
    }
    if !isWoken { throw CancellationError() }
  }

  /// Lets any other ready job run.
  func choose(_ label: @autoclosure () -> String) async {
    let thread = RunningThread.current
    // A task that runs elsewhere has no place in the order.
    guard state.withLock({ $0.thread == thread && $0.phase == .running }) else { return }
    let label = isTraced ? label() : ""
    noteName()
    _ = await WaitingTask.wait { waitingTask in
      let task = TaskID.current
      state.withLock { state in
        let cause = state.trace?.choice(label) ?? .itself
        state.entries.append(
          ReadyJobs.Entry(
            work: .waitingTask(waitingTask, sleeper: 0), task: task, number: state.number(of: task),
            cause: cause))
      }
    }
  }

  /// Waits until nothing else can run.
  func idle() async {
    let wait = Wait()
    let arrival = state.withLock { state in
      state.idleWaits.append(wait)
      return state.arrival.take()
    }
    arrival?.end(.fulfilled)
    _ = await wait.end()
  }

  /// Returns the outcome of a wait, which times out if nothing that could end it can run.
  func outcome(of wait: Wait) async -> Wait.Outcome {
    state.withLock { $0.limitedWaits.append(wait) }
    let outcome = await wait.end()
    state.withLock { $0.limitedWaits.removeAll { $0 === wait } }
    return outcome
  }

  func noteRandomNumber() {
    usesRandomNumbers.store(true, ordering: .relaxed)
  }

  /// Records the name of the running task.
  func noteName() {
    guard isTraced, let name = TaskID.currentName else { return }
    let task = TaskID.current
    state.withLock { $0.trace?.name(task, name) }
  }

  /// Adds a note about the running job to the trace.
  func note(_ text: @autoclosure () -> String) {
    guard isTraced else { return }
    let text = text()
    state.withLock { $0.trace?.note(text) }
  }

  /// Announces the origin of the next task to start, after those that were announced before.
  func announceTask(_ text: @autoclosure () -> String) {
    guard isTraced else { return }
    let text = text()
    state.withLock { $0.trace?.announce(text) }
  }
}
