internal import Synchronization
package import Testing

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
  sourceLocation: SourceLocation = #_sourceLocation,
  of operation: () async throws(E) -> Void,
  matching isExpected: (Issue) -> Bool
) async throws(E) {
  let failures = try await collectFailures(of: operation)
  #expect(!failures.isEmpty, "It doesn't fail.", sourceLocation: sourceLocation)
  for failure in failures where !isExpected(failure) {
    Issue.record("Not expected: \(failure)", sourceLocation: sourceLocation)
  }
}
