import ComposableEnvironment

/// One long request that works for all others: follows their progress, cancels them, cleans up.
///
/// What runs in its tasks finds the values of this request in plain task-locals, so it is where
/// somebody else's are read.
struct Monitor: Sendable {
  typealias Job = @Sendable () async -> Void

  static let requestID = 0

  private let jobs: AsyncStream<Job>
  private let continuation: AsyncStream<Job>.Continuation

  init() {
    (jobs, continuation) = AsyncStream.makeStream()
  }

  /// Does the jobs side by side, in the scope of this request, until there will be no more.
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

  /// Returns when the job is done.
  func perform(_ job: @escaping Job) async {
    await withCheckedContinuation { done in
      submit {
        await job()
        done.resume()
      }
    }
  }
}
