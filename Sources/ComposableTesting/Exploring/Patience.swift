/// How long the schedules of a test wait for a job from outside when nothing can run.
struct Patience {
  private var comesFromOutside = false
  private var hasWaited = false

  /// - Parameter count: The number of jobs that came from outside, in this schedule.
  mutating func limit(afterOutsideJobs count: Int) -> Duration {
    if count > 0 { comesFromOutside = true }
    return comesFromOutside ? .seconds(1) : .milliseconds(hasWaited ? 10 : 250)
  }

  /// Records whether what a schedule waited for came.
  mutating func didWait(successfully isThere: Bool) {
    if isThere { comesFromOutside = true } else { hasWaited = true }
  }
}
