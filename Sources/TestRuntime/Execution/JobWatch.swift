internal import Dispatch
internal import Synchronization
internal import Testing

/// Finds jobs that block their threads for seconds, and so stop all others of their tests.
///
/// It warns of such a job. A failure would be wrong for a long computation, or on a busy machine. But a
/// schedule fails, because a thousand of them would take hours.
final class JobWatch: Sendable {
  /// Checks twice a second, on a thread of its own.
  static let shared: JobWatch = {
    let watch = JobWatch()
    watch.checkLater(on: DispatchQueue(label: "JobWatch"))
    return watch
  }()

  private struct Watched {
    weak let executor: TestExecutor?
    let test: Test?
    let place: SourceLocation
    var job: Int?
    /// The number of times in a row that the job was seen.
    var count = 0
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

  func add(_ executor: TestExecutor, at place: SourceLocation) {
    let test = TestContext.currentTest
    watched.withLock { $0.append(Watched(executor: executor, test: test, place: place)) }
  }

  /// Finds the jobs that have been running at this check and the ten before.
  func check() {
    var remaining: [Watched] = []
    for var watched in takeAll() {
      guard let executor = watched.executor else { continue }
      let job = executor.runningJob
      watched.count = job != nil && job == watched.job ? watched.count + 1 : 0
      watched.job = job
      if watched.count == Self.steps, let job, !executor.noteBlocked(job) {
        TestFailure.warn(Self.message(about: watched.test), at: watched.place)
      }
      remaining.append(watched)
    }
    watched.withLock { [remaining] in $0 += remaining }
  }

  /// Describes a job of a test that blocks its thread.
  static func message(about test: Test?) -> String {
    let name = test.map { " “\($0.displayName ?? $0.name)”" } ?? ""
    return """
      A job of the test\(name) ran for \(TestRun.limit) without suspending, while others waited. The \
      jobs of a test run one at a time, so if it waits for another one, it never ends.
        Instead: `await` a clock, a continuation or an asynchronous sequence, rather than what \
      blocks a thread, such as a semaphore or a lock. In a long computation, call `Task.yield()`.
      """
  }

  private func takeAll() -> [Watched] {
    watched.withLock { watched in
      defer { watched = [] }
      return watched
    }
  }
}
