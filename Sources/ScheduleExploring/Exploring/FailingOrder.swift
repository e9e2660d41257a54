internal import Synchronization
internal import TestRuntime
package import Testing

/// The order of a test that isn't explored, which is shown if it fails.
package enum FailingOrder {
  /// Runs a test, and attaches what ran when if it fails.
  package static func attach(
    to test: Test, _ testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let hasFailed = Atomic(false)
    let trait: IssueHandlingTrait = .compactMapIssues { issue in
      // An issue of no test is shown without this handler, too.
      if Test.current == nil { return nil }
      if issue.isUnexpected { hasFailed.store(true, ordering: .relaxed) }
      return issue
    }
    defer {
      if hasFailed.load(ordering: .relaxed), let trace = TestRun.ofScope?.order.trace {
        ScheduleTable(trace: trace).attach(at: test.sourceLocation)
      }
    }
    do {
      try await trait.provideScope(for: test, testCase: testCase, performing: function)
    } catch {
      hasFailed.store(true, ordering: .relaxed)
      throw error
    }
  }
}
