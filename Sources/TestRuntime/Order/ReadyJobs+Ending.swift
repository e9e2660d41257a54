/// How a schedule ends: what its body has left behind runs for a number of steps, and then rests.
extension ReadyJobs {
  /// Lets what the body has left behind run for a number of steps.
  mutating func endBody(_ ending: ScheduleEnding) {
    self.ending = ending
    // An isolated body leaves its actor just to return.
    if let last = running.boundaries.last, boundaries.leaves(last) {
      running.boundaries.removeLast()
    }
    if phase == .over { return }
    (phase, restSteps) = (.ended, Waits.restLimit)
    if !entries.areNone { trace?.note("the test's body has ended") }
  }

  /// Returns what remains after a run, in order.
  mutating func takeRest() -> TestStep? {
    addNext()
    while true {
      if entries.isEmpty { addOutside() }
      if entries.isEmpty { return nil }
      if restSteps > 0 {
        restSteps -= 1
        return run(entries.remove(at: 0))
      }
      if phase != .over { return nil }
      // From now on the tasks rest, but not an actor or a thread, which others may need.
      let entry = entries.remove(at: 0)
      if entry.mustRun { return run(entry) }
    }
  }

  /// Lets everything that is left run, unless it has kept running for a number of steps.
  mutating func endRun() {
    if phase != .ended {
      restSteps = waits.restlessLimit
    } else if restSteps > 0 {
      restSteps = Waits.restLimit
    }
    phase = .over
  }

  /// Lets what a canceled body does run for a number of steps.
  mutating func beginStopping() {
    (phase, restSteps) = (.stopping, Waits.restLimit)
  }
}
