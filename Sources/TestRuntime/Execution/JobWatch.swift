internal import Dispatch
internal import Synchronization

/// Finds jobs that hold their threads while others wait, and lets the others go on.
///
/// A job may wait, on a thread that sleeps, for what another task of the test does, or run until that cancels
/// it. Then its own next suspension comes back to the test's order like work from outside.
final class JobWatch: Sendable {
  /// Checks on a thread of its own.
  static let shared: JobWatch = {
    let watch = JobWatch()
    watch.checkLater(on: DispatchQueue(label: "JobWatch"))
    return watch
  }()

  fileprivate struct Watched {
    weak let executor: TestExecutor?
    /// The job that others wait for.
    var job: Int?
    /// What its thread had done when it was first seen.
    var first: WatchedThread.Sample?
    var last: WatchedThread.Sample?
    var since = ContinuousClock.now
    /// Since when the thread has slept.
    var sleepsSince = ContinuousClock.now
    /// Whether no other thread has run since then, so that it waits for none that does.
    var isAlone = true
    /// How long something has waited for jobs that have left the order.
    var waitedForAway = Duration.zero
    var checkedAt = ContinuousClock.now
  }

  private let watched = Mutex<[Watched]>([])

  /// The time of sleep after which overtaken jobs go on, because one may have locked what the job waits for.
  fileprivate static let limitOfLocks = Duration.milliseconds(10)
  /// The time after which others go on, where a thread's state isn't known.
  fileprivate static let limitOfUnknown = Duration.milliseconds(500)

  /// In milliseconds.
  fileprivate static let longestStep = 20

  private func checkLater(on queue: DispatchQueue) {
    // Rarely, unless there is a job that others wait for.
    let step = check() ? 4 : Self.longestStep
    queue.asyncAfter(deadline: .now() + .milliseconds(step)) { self.checkLater(on: queue) }
  }

  func add(_ executor: TestExecutor) {
    watched.withLock { $0.append(Watched(executor: executor)) }
  }

  /// The executors of all tests.
  var executors: [TestExecutor] { watched.withLock { $0.compactMap(\.executor) } }

  /// - Returns: Whether others wait for some job.
  private func check() -> Bool {
    var (remaining, isWaitedFor): ([Watched], Bool) = ([], false)
    let all = watched.withLock { $0 }
    for var watched in all {
      guard let executor = watched.executor else { continue }
      if watched.check(executor) { isWaitedFor = true }
      remaining.append(watched)
    }
    // Others only append.
    watched.withLock { [remaining] in $0.replaceSubrange(..<all.count, with: remaining) }
    return isWaitedFor
  }
}

extension JobWatch.Watched {
  /// - Returns: Whether others wait for the executor's job.
  fileprivate mutating func check(_ executor: TestExecutor) -> Bool {
    let order = executor.order
    let now = ContinuousClock.now
    let (holding, waitsForAway) = order.state.withLock { ($0.holding, $0.waitsForAway) }
    let isWorking = SourceStack.isWorking
    // At most a step, because a busy machine, or one that stands still, takes longer for the jobs, too.
    waitedForAway += min(checkedAt.duration(to: now), .milliseconds(JobWatch.longestStep))
    checkedAt = now
    if !waitsForAway || isWorking { waitedForAway = .zero }
    if waitedForAway >= TestRun.limit, order.giveUpAway() { executor.start() }
    let sample = holding?.thread.sample()
    guard let holding, holding.job == job, !isWorking else {
      (job, first, last, since, sleepsSince, isAlone) =
        (holding?.job, sample, sample, now, now, true)
      return holding != nil
    }
    if sample != last || sample?.isAsleep == false { (sleepsSince, isAlone) = (now, true) }
    if sample?.isAsleep == true, isAlone { isAlone = !WatchedThread.othersRun }
    last = sample
    if isOver(at: now, after: order.threadLimit, overtakesLock: holding.overtakesLock) {
      executor.leave(holding.job, sleep: sample.flatMap { $0.isAsleep ? $0 : nil })
    }
    return true
  }

  private func isOver(
    at now: ContinuousClock.Instant, after limit: Duration, overtakesLock: Bool
  ) -> Bool {
    guard let first, let last else { return since.duration(to: now) >= JobWatch.limitOfUnknown }
    let slept = last.isAsleep ? sleepsSince.duration(to: now) / (isAlone ? 1 : 5) : .zero
    return last.time - first.time >= limit
      || slept >= (overtakesLock && isAlone ? min(limit, JobWatch.limitOfLocks) : limit)
  }
}
