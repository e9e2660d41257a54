internal import Synchronization
internal import TestRuntime
package import ComposableDependencies
package import Testing

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
  DependencyIssue.replaceHandler { issue in
    if let collector = Collector.current {
      collector.issues.withLock { $0.append(issue) }
    } else {
      TestFailure.record(issue)
    }
  }
}()

/// Runs an operation, keeps the issues that it records from the running test, and returns them.
///
/// Unlike `withKnownIssue`, it prints nothing, and counts no issue as known.
package func collectFailures<E: Error>(
  isolation: isolated (any Actor)? = #isolation,
  of operation: () async throws(E) -> Void
) async throws(E) -> [Issue] {
  var result = Result<Void, E>.success(())
  let issues = await collectIssues {
    do throws(E) {
      try await operation()
    } catch {
      result = .failure(error)
    }
  }
  try result.get()
  return issues
}

private func collectIssues(
  isolation: isolated (any Actor)? = #isolation, of operation: () async -> Void
) async -> [Issue] {
  guard let test = Test.current else { preconditionFailure("No test is running.") }
  let issues = Mutex<[Issue]>([])
  let collecting: IssueHandlingTrait = .compactMapIssues { issue in
    issues.withLock { $0.append(issue) }
    return nil
  }
  await withoutActuallyEscaping(operation) { operation in
    // Sound: the trait calls its closure once, and returns after it.
    nonisolated(unsafe) let operation = operation
    try? await collecting.provideScope(for: test, testCase: Test.Case.current) {
      await unsafe call(operation, isolation: isolation)
    }
  }
  return issues.withLock { $0 }
}

private func call(_ operation: () async -> Void, isolation: isolated (any Actor)?) async {
  await operation()
}

/// Expects that an operation fails the test, and only in the way that `isExpected` says.
package func expectFailure<E: Error>(
  isolation: isolated (any Actor)? = #isolation,
  sourceLocation: Testing.SourceLocation = #_sourceLocation,
  of operation: () async throws(E) -> Void,
  matching isExpected: (Issue) -> Bool
) async throws(E) {
  let failures = try await collectFailures(of: operation)
  #expect(!failures.isEmpty, "It doesn't fail.", sourceLocation: sourceLocation)
  for failure in failures where !isExpected(failure) {
    Issue.record("Not expected: \(failure)", sourceLocation: sourceLocation)
  }
}
