internal import TestRuntime

/// How long the schedules of a test wait: for a job from outside when nothing can run, and for one that holds its
/// thread.
struct Patience {
  /// The longest wait for a job from outside.
  let limit: Duration

  /// The longest wait for a job that came.
  private var longest = Duration.zero
  private var hasTimedOut = false

  /// How long a job may hold its thread while others are ready.
  ///
  /// Once one has, nothing is claimed of the test's orders, so the next ones are worth less patience.
  private(set) var threadLimit = JobOrder.usualThreadLimit

  init(limit: Duration) {
    self.limit = limit
  }

  /// Returns how long to wait for a job now.
  ///
  /// Whether a job is going to come isn't known, so the first wait that times out takes as long as
  /// the limit. The waits after it take a few times as long as any job took to come. If none has
  /// ever come, only a schedule to be shown waits.
  ///
  /// - Parameter isShown: Whether the schedule may be shown.
  func duration(isShown: Bool) -> Duration {
    guard hasTimedOut else { return limit }
    if longest == .zero, !isShown { return .zero }
    return min(limit, longest * 4 + .milliseconds(2))
  }

  mutating func didHoldThread() { threadLimit = JobOrder.usualThreadLimit / 4 }

  /// Records whether a job came, and how long it took.
  mutating func didWait(_ duration: Duration, successfully isThere: Bool) {
    if isThere { longest = max(longest, duration) } else { hasTimedOut = true }
  }
}
