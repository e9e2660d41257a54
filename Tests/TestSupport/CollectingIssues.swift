package import ComposableDependencies
internal import ComposableTesting
internal import Synchronization

/// Runs an operation and hands back the issues that it reported, in order.
///
/// The handler of the process is replaced once, by one that asks a task-local where to put an
/// issue; so tests that collect issues run in parallel.
package func issues(reportedBy operation: () throws -> Void) rethrows -> [DependencyIssue] {
  _ = installHandler
  let collector = Collector()
  try Collector.$current.withValue(collector, operation: operation)
  return collector.issues.withLock { $0 }
}

/// Runs an operation and hands back the issues that it reported, in order, those of tasks that it
/// made included.
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
  // First, so that this handler is asked before the one of the traits.
  Misuse.failsTests()
  DependencyIssue.replaceHandler { issue in
    if let collector = Collector.current {
      collector.issues.withLock { $0.append(issue) }
    } else {
      TestFailure.record(issue)
    }
  }
}()
