package import ComposableDependencies
internal import ComposableTesting
internal import Synchronization

/// Runs an operation, and returns the issues that it reported, in order.
///
/// The process's handler is replaced once, by a handler that reads from a task-local where to put
/// an issue. So tests that collect issues run in parallel.
package func issues(reportedBy operation: () throws -> Void) rethrows -> [DependencyIssue] {
  _ = installHandler
  let collector = Collector()
  try Collector.$current.withValue(collector, operation: operation)
  return collector.issues.withLock { $0 }
}

/// Runs an operation, and returns the issues that it and its tasks reported, in order.
package func issues(
  isolation: isolated (any Actor)? = #isolation, reportedBy operation: () async throws -> Void
) async rethrows -> [DependencyIssue] {
  _ = installHandler
  let collector = Collector()
  try await Collector.$current.withValue(collector, operation: operation)
  return collector.issues.withLock { $0 }
}

private final class Collector: Sendable {
  @TaskLocal static var current: Collector?
  let issues = Mutex<[DependencyIssue]>([])
}

private let installHandler: Void = {
  // First, so that this handler is called before the traits' handler.
  Misuse.failsTests()
  DependencyIssue.replaceHandler { issue in
    if let collector = Collector.current {
      collector.issues.withLock { $0.append(issue) }
    } else {
      TestFailure.record(issue)
    }
  }
}()
