internal import ComposableReducers

extension StoreLog {
  /// The same task, which fails the test where it waits for effects that hang.
  func watching(_ task: StoreTask, of action: Action, _ place: CallSite) -> StoreTask {
    StoreTask(task) { await self.waitForEnd(of: $0, of: action, place) }
  }

  private func waitForEnd(of task: StoreTask, of action: Action, _ place: CallSite) async {
    let wait = Wait()
    task.whenFinished { wait.end(.fulfilled) }
    let timeout = timeout
    let limit = TimeLimit(timeout, on: testRun.executor)
    guard await limit.outcome(of: wait) == .timedOut else { return }
    if testRun.executor.hasAbandonedJobs { return testRun.failOverUnrest(at: place) }
    let effects = task.effects
    let lines = effectLines(origins(where: effects.contains))
    for effect in effects {
      abandon(effect)
      forget(effect)
    }
    TestFailure.record(
      """
      The test waits for the end of \(short(action)), but these effects are still running after \
      \(timeout):
      \(lines)
        Instead: let them end before you wait, for example by advancing the test's clock. Or cancel \
      them, with what `send` returns or by an action. `store.timeout` is how long the test waits.
      """, at: place)
  }
}
