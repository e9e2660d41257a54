internal import ComposableReducers

extension StoreLog {
  /// The same task, which fails the test where it waits for effects that hang.
  func watching(_ task: StoreTask, of action: Action, _ place: CallSite) -> StoreTask {
    let sender = TaskID.current
    return StoreTask(task) {
      await self.waitForEnd(
        of: $0, of: action, bySender: TaskID.current == sender, place)
    }
  }

  /// - Parameter isSender: Whether the task that sent the action waits. Another task probably waits
  ///   concurrently with code of the test that advances the clock.
  private func waitForEnd(
    of task: StoreTask, of action: Action, bySender isSender: Bool, _ place: CallSite
  ) async {
    let wait = Wait()
    task.whenFinished { wait.end(.fulfilled) }
    let timeout = timeout
    let limit = TimeLimit(timeout, on: testRun.executor)
    let watch = isSender && testRun.executor.explored == nil ? watchForStillness(ending: wait) : nil
    let outcome = await limit.outcome(of: wait)
    watch?.cancel()
    guard outcome == .timedOut else { return }
    if testRun.executor.hasAbandonedJobs { return testRun.failOverUnrest(at: place) }
    let stillness = await watch?.value ?? stillness
    let running = Set(task.effects)
    // They may have ended at the same moment.
    if running.isEmpty { return }
    let effects = effects.filter { running.contains($0.executor.effect) }
    let reason = stillness.map { Reason.asleep(firstToWake(of: effects) ?? $0.next) }
    let lines = lines(of: effects)
    for effect in effects {
      abandon(effect.executor.effect)
      forget(effect.executor.effect)
    }
    failOver(action, reason ?? .timedOut(timeout), lines, place)
  }

  private enum Reason {
    case asleep(TestClock.Instant)
    case timedOut(Duration)
  }

  private func failOver(
    _ action: Action, _ reason: Reason, _ lines: String, _ place: CallSite
  ) {
    let remedy = """
      let them end before you wait, for example by advancing the test's clock. Or cancel \
      them, with what `send` returns or by an action.
      """
    let isExplored = testRun.executor.explored != nil
    switch reason {
    case .asleep(let next):
      TestFailure.record(
        """
        The test waits for the end of \(short(action)), but these effects sleep on the test's clock, \
        until \(next.offset) or later, and nothing advances it:
        \(lines)
          Instead: \(remedy)
        """, at: place)
    case .timedOut(let timeout):
      TestFailure.record(
        """
        The test waits for the end of \(short(action)), but these effects are still running \
        \(testRun.end(of: timeout)):
        \(lines)
          Instead: \(remedy)\(isExplored ? "" : " `store.timeout` is how long the test waits.")
        """, at: place)
    }
  }
}
