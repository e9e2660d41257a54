internal import Synchronization

/// What a test waits for.
extension JobOrder: TestProgress {
  package func idle(within limit: Countdown) async -> Wait.Outcome {
    let wait = Wait()
    let (arrival, isOver): (Wait?, Bool) = state.withLock { state in
      let isOver = state.waitUntilIdle(wait)
      return (state.waits.arrival.take(), isOver)
    }
    arrival?.finish(.fulfilled)
    if isOver { return .fulfilled }
    // A job that waits doesn't block its thread, so the number of steps limits its wait. Code elsewhere
    // needs a limit in time, too.
    if isExplored || RunningExecutors.shared.current?.order === self { return await wait.outcome() }
    let outcome = await limit.outcome(of: wait)
    if outcome == .timedOut { state.withLock { $0.waits.idle.removeAll { $0.wait === wait } } }
    return outcome
  }

  /// Gives up jobs that may never let go of their threads, and times out the first wait for them, if nothing runs.
  ///
  /// - Returns: Whether the executor must begin to run what is next, such as what else waits.
  func giveUpAway() -> Bool {
    let (wait, mustStart): (Wait?, Bool) = state.withLock { state in
      guard state.waitsForAway, state.away.ignore(), !state.isRunning else { return (nil, false) }
      let wait = state.waits.idle.removeFirst().wait
      return (wait, state.claimThread())
    }
    wait?.finish(.timedOut)
    return mustStart
  }

  package func outcome(of wait: Wait, within limit: Countdown) async -> Wait.Outcome {
    let isOver = state.withLock { state in
      state.waits.limited.append((wait, limit.begin(at: state.waits.moments)))
      state.waits.activity += 1
      return state.phase == .over
    }
    if isOver { wait.finish(.timedOut) }
    let outcome = isExplored ? await wait.outcome() : await limit.outcome(of: wait)
    state.withLock { $0.waits.limited.removeAll { $0.wait === wait } }
    return outcome
  }

  /// The tasks that can run, apart from effects of stores, as the record of the order names them.
  var readyTasks: [String] {
    state.withLock { state in state.readyTasks.map { state.trace?.title(of: $0) ?? "a task" } }
  }

  package func textOfTimeout(after limit: Duration) -> String {
    if !isExplored { return "after \(limit)" }
    return state.withLock { $0.waits.onlyTimePasses }
      ? "after time has moved \(Waits.limitOfMoments.grouped) times"
      : "where nothing else can run"
  }

  /// What keeps the executor busy, and where, for a message.
  package var busyTask: (name: String, place: String) {
    let (effect, last, trace) = state.withLock { ($0.lastEffect, $0.lastTask, $0.trace) }
    let name = effect?.description().map { "The \($0)" } ?? trace?.title(of: last.task)
    return (name ?? "something", last.stack?.text ?? "")
  }
}

/// What only a test in real time does.
extension JobOrder {
  /// Lets tasks run that the executor doesn't know, as far as that is possible.
  ///
  /// Swift's pool runs the tasks of one priority in order, but may run others before them.
  ///
  /// - Returns: Whether there may be any.
  package func yieldToOthers() async -> Bool {
    guard !isExplored, !isTraced || state.withLock({ $0.findings.departures > 0 }) else {
      return false
    }
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

  /// Calls a closure once the test has done nothing for a while.
  ///
  /// The call itself counts as something that the test does. If a closure waits already, this one is
  /// ignored.
  package func whenSilent(for limit: Duration, _ action: @escaping @Sendable () -> Void) {
    if isExplored { return }
    let isNew = state.withLock { state in
      state.waits.activity += 1
      defer { state.waits.isWatched = true }
      return !state.waits.isWatched
    }
    guard isNew else { return }
    // Not detached, so that a failure belongs to the test.
    _ = RunningExecutors.shared.with(nil) {
      Task { [weak self] in
        var silentSteps = 0
        while silentSteps < 5 {
          let before = self?.silentSince
          _ = await Countdown(limit / 5).outcome(of: Wait())
          guard let self else { return }
          silentSteps = before != nil && before == self.silentSince ? silentSteps + 1 : 0
        }
        // Before the action, which may resume a task that begins to sleep again.
        self?.state.withLock { $0.waits.isWatched = false }
        action()
      }
    }
  }

  /// Changes with everything that the test does; `nil` while something runs, or while the test waits
  /// within a limit of its own.
  private var silentSince: Int? {
    state.withLock {
      $0.isRunning || $0.away.areAwaited || !$0.waits.limited.isEmpty ? nil : $0.waits.activity
    }
  }
}
