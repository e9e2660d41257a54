import ComposableEnvironment

/// A long request that works for all others: it follows their progress, cancels them, cleans up.
///
/// Code in its tasks reads this request's values from plain task-locals, so these reads return
/// another request's values.
struct Monitor: Sendable {
  typealias Job = @Sendable () async -> Void

  static let requestID = 0

  private let jobs: AsyncStream<Job>
  private let continuation: AsyncStream<Job>.Continuation

  init() {
    (jobs, continuation) = AsyncStream.makeStream()
  }

  /// Runs jobs concurrently in the scope of this request, until there are no more.
  func run() async {
    await Plain.$requestID.withValue(Monitor.requestID) {
      await withDependencies {
        $0.requestID = Monitor.requestID
      } operation: {
        await withDiscardingTaskGroup { group in
          for await job in jobs { group.addTask { await job() } }
        }
      }
    }
  }

  func finish() {
    continuation.finish()
  }

  func submit(_ job: @escaping Job) {
    continuation.yield(job)
  }

  /// Runs a job, and returns when it is done.
  func perform(_ job: @escaping Job) async {
    await withCheckedContinuation { done in
      submit {
        await job()
        done.resume()
      }
    }
  }
}
