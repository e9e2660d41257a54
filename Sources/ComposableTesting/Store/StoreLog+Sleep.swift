internal import ComposableReducers

extension StoreLog {
  /// Returns the first deadline of some effects, if all of them sleep on clocks of the test.
  ///
  /// Only an effect's own task counts. If a child task sleeps, work that nobody can see may end that
  /// sleep: the effect or another child task, which may wait for something on any thread.
  func firstToWake(of effects: [Effect]) -> TestClock.Instant? {
    let sleepers = testRun.sleepers
    let deadlines = effects.compactMap { $0.ownDeadline(among: sleepers) }
    return deadlines.count == effects.count ? deadlines.min() : nil
  }

  /// A line for each of some effects, with what is known about its sleep.
  func lines(of effects: [Effect]) -> String {
    let sleepers = testRun.sleepers
    return effects.map { effect in
      "  an \(effectDescription(effect.origin))\(effect.sleep(among: sleepers))"
    }.joined(separator: "\n")
  }
}

extension StoreLog.Effect {
  /// The deadline of the effect's own task, if that sleeps.
  fileprivate func ownDeadline(among sleepers: [SleepingTask]) -> TestClock.Instant? {
    sleepers.first { $0.address == executor.taskAddress }?.deadline
  }

  /// Describes how the effect sleeps on the test's clock; empty if it doesn't.
  fileprivate func sleep(among sleepers: [SleepingTask]) -> String {
    if let deadline = ownDeadline(among: sleepers) {
      return ", which sleeps on the test's clock until \(deadline.offset)"
    }
    let children = sleepers.filter { $0.belongs(to: executor) }
    guard let next = children.map(\.deadline).min() else { return "" }
    return children.count == 1
      ? ", with a child task that sleeps on the test's clock until \(next.offset)"
      : """
      , with \(children.count) child tasks that sleep on the test's clock until \(next.offset) or \
      later
      """
  }
}
