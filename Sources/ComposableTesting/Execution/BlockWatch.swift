internal import Dispatch
internal import Synchronization

/// What runs jobs one at a time, so that a job that blocks its thread stops all others.
protocol JobRunner: AnyObject, Sendable {
  /// The unique number of the running job.
  var runningJob: Int? { get }

  /// Called repeatedly while a job has been running for seconds.
  func didBlock(_ job: Int)
}

/// Finds jobs that block their threads for seconds, even if no store or clock is waiting.
///
/// A test under a trait runs on its executor itself, so it couldn't continue.
final class BlockWatch: Sendable {
  /// Checks twice a second, on a thread of its own.
  static let shared: BlockWatch = {
    let watch = BlockWatch()
    watch.checkLater(on: DispatchQueue(label: "BlockWatch"))
    return watch
  }()

  private struct Watched {
    weak let runner: (any JobRunner)?
    var job = JobAge()
  }

  private let watched = Mutex<[Watched]>([])
  private static let steps = 10

  private func checkLater(on queue: DispatchQueue) {
    let step = DispatchTimeInterval.milliseconds(
      Int(TestRun.limit.components.seconds) * 1000 / Self.steps)
    queue.asyncAfter(deadline: .now() + step) {
      self.check()
      self.checkLater(on: queue)
    }
  }

  func add(_ runner: any JobRunner) {
    watched.withLock { $0.append(Watched(runner: runner)) }
  }

  /// Finds the jobs that have been running at this check and the ten before.
  func check() {
    var remaining: [Watched] = []
    for var watched in takeAll() {
      guard let runner = watched.runner else { continue }
      watched.job.count(runner.runningJob)
      if watched.job.steps >= Self.steps, let job = watched.job.number { runner.didBlock(job) }
      remaining.append(watched)
    }
    watched.withLock { [remaining] in $0 += remaining }
  }

  /// The number of runners, including those that are gone since the last check.
  var count: Int { watched.withLock { $0.count } }

  private func takeAll() -> [Watched] {
    watched.withLock { watched in
      defer { watched = [] }
      return watched
    }
  }
}
