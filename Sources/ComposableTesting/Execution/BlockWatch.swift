internal import Dispatch
internal import Synchronization

/// Abandons jobs that block a test's executor for seconds, even if no store or clock is waiting.
///
/// A test under a trait runs on that executor itself, so it couldn't continue.
final class BlockWatch: Sendable {
  /// Checks twice a second, on a thread of its own.
  static let shared: BlockWatch = {
    let watch = BlockWatch()
    watch.checkLater(on: DispatchQueue(label: "BlockWatch"))
    return watch
  }()

  private struct Watched {
    weak let executor: TestExecutor?
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

  func add(_ executor: TestExecutor) {
    watched.withLock { $0.append(Watched(executor: executor)) }
  }

  /// Abandons the jobs that have been running at this check and the ten before.
  func check() {
    var remaining: [Watched] = []
    for var watched in takeAll() {
      guard let executor = watched.executor else { continue }
      watched.job.count(executor.runningJob)
      if watched.job.steps >= Self.steps, executor.isWaitedFor {
        executor.forget(nil, abandoning: watched.job.number)
      }
      remaining.append(watched)
    }
    watched.withLock { [remaining] in $0 += remaining }
  }

  /// The number of executors, including those that are gone since the last check.
  var count: Int { watched.withLock { $0.count } }

  private func takeAll() -> [Watched] {
    watched.withLock { watched in
      defer { watched = [] }
      return watched
    }
  }
}
