/// How long the schedules of a test wait for a job from outside when nothing can run.
struct Patience {
  /// The longest wait.
  let limit: Duration

  /// The longest wait for a job that came.
  private var longest = Duration.zero
  private var hasTimedOut = false

  init(limit: Duration) {
    self.limit = limit
  }

  /// How long to wait now.
  ///
  /// Whether a job is going to come isn't known, so the first wait that times out takes as long as
  /// the limit. The waits after it take a few times as long as any job took to come.
  var duration: Duration { hasTimedOut ? min(limit, longest * 4 + .milliseconds(2)) : limit }

  /// Records whether a job came, and how long it took.
  mutating func didWait(_ duration: Duration, successfully isThere: Bool) {
    if isThere { longest = max(longest, duration) } else { hasTimedOut = true }
  }
}
