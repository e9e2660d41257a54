internal import Dispatch
internal import Synchronization

/// Abandons jobs that block a test's executor for seconds, even if no store or clock is waiting.
///
/// A test under a trait runs on that executor itself, so it couldn't continue.
final class BlockWatch: Sendable {
  static let shared = BlockWatch()

  private struct Watched {
    weak let executor: TestExecutor?
    var job = JobAge()
  }

  private let watched = Mutex<[Watched]>([])
  private static let steps = 10

  private init() {
    let queue = DispatchQueue(label: "BlockWatch")
    let step = DispatchTimeInterval.milliseconds(
      Int(TestRun.limit.components.seconds) * 1000 / Self.steps)
    queue.asyncAfter(deadline: .now() + step) { self.check(each: step, on: queue) }
  }

  func add(_ executor: TestExecutor) {
    watched.withLock { $0.append(Watched(executor: executor)) }
  }

  private func check(each step: DispatchTimeInterval, on queue: DispatchQueue) {
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
    queue.asyncAfter(deadline: .now() + step) { self.check(each: step, on: queue) }
  }

  private func takeAll() -> [Watched] {
    watched.withLock { watched in
      defer { watched = [] }
      return watched
    }
  }
}
