import StandardDependencies
import Synchronization
import Testing

@testable import ComposableTesting

/// Runs an operation, hides the issues that it records from the running test, and returns them.
///
/// Unlike `failures(of:)`, it doesn't mark them as known issues.
func issues(
  of operation: @escaping @Sendable () async throws -> Void
) async throws -> [Failure] {
  let failures = Mutex<[Failure]>([])
  let trait: IssueHandlingTrait = .compactMapIssues { issue in
    guard issue.isFailure else { return nil }
    let failure = Failure(
      message: issue.comments.map(\.rawValue).joined(separator: "\n"),
      location: issue.sourceLocation)
    failures.withLock { $0.append(failure) }
    return nil
  }
  try await trait.provideScope(
    for: try #require(Test.current), testCase: Test.Case.current, performing: operation)
  return failures.withLock { $0 }
}

extension Explorer {
  /// Runs one schedule with a trace.
  func traced(_ schedule: Schedule) async -> ScheduleResult {
    await run(.given(schedule), seed: schedule.seed, isTraced: true)
  }

  /// Searches for a failing schedule.
  func search(_ limit: Int, seed: UInt64 = 0) async -> ScheduleSearch.Outcome {
    var search = ScheduleSearch(self, limit: limit, seed: seed)
    return await search.run()
  }

  /// Returns all schedules, each as its trace.
  func allTraces(limit: Int = 100_000) async -> [[String]] {
    var (all, traces) = (ExhaustiveSearch(), [[String]]())
    var next: Schedule? = .plain
    while let schedule = next, traces.count < limit {
      let result = await traced(schedule)
      traces.append(result.trace?.shape ?? [])
      all.didRun(result.record)
      next = all.next()
    }
    return all.isBroken ? [] : traces
  }
}

extension ScheduleSearch.Outcome {
  var finding: ScheduleSearch.Finding? {
    if case .found(let finding) = self { finding } else { nil }
  }

  var exploration: Exploration? {
    if case .passed(let exploration) = self { exploration } else { nil }
  }
}
