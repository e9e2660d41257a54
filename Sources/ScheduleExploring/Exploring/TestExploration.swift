internal import Synchronization
internal import TestRuntime
internal import Testing

/// A test whose schedules are explored or replayed, and the reporting of the result.
struct TestExploration: Sendable {
  /// How a test states which schedule to replay.
  enum Form: Sendable {
    case trait
    case function
  }

  let form: Form
  let name: String
  let runner: ScheduleRunner

  private var place: SourceLocation { runner.place }

  /// Searches for a failing schedule, and reports the simplest.
  func explore(schedules: Int, seed: UInt64) async throws -> Exploration {
    try await finishing { try await search(schedules: schedules, seed: seed) }
  }

  /// Runs an operation that explores and reports, and then waits for the schedules that haven't ended.
  private func finishing<R: Sendable>(_ operation: () async throws -> R) async throws -> R {
    do {
      let result = try await operation()
      await runner.endAll()
      return result
    } catch {
      await runner.endAll()
      throw error
    }
  }

  private func search(schedules: Int, seed: UInt64) async throws -> Exploration {
    let outcome = try await silently {
      var search = ScheduleSearch(runner, limit: schedules, seed: seed)
      return await search.run()
    }
    switch outcome {
    case .passed(let exploration):
      if form == .trait || !exploration.stepsFromOutside.isEmpty { print(summary(of: exploration)) }
      return exploration
    case .cancelled(let error): throw error
    case .found(let finding):
      let failure = try await silently { await examine(finding) }
      try await record(
        ScheduleReport(
          failure: failure, schedules: schedules, seed: seed, form: form, timeout: runner.timeout,
          sight: runner.sight))
      return Exploration(schedules: finding.number)
    }
  }

  /// Returns what to print after a test that passes.
  func summary(of exploration: Exploration) -> String {
    let steps = exploration.stepsFromOutside
    let summary = "Explored “\(name)”: \(exploration)"
    if steps.isEmpty { return summary + "." }
    return """
      \(summary):
      \(steps.map { "    \($0)" }.joined(separator: "\n"))
        Instead: \(ScheduleReport.stayInside)
      """
  }

  /// Runs a failing schedule once more to record its issues, and reports it.
  private func record(_ report: ScheduleReport) async throws {
    var report = report
    let shown = report.failure.shown
    // A cancelled test can't run once more.
    if case .cancelled = report.failure.doubt {
      TestFailure.record(report.text, at: place)
      throw CancellationError()
    }
    let result = try await openly(shown.failures) {
      await runner.run(shown.schedule, tracing: .steps, isReported: true)
    }
    report.failure.didRecord(in: result)
    TestFailure.record(report.text, at: place)
    if Test.current != nil, let trace = shown.trace {
      ScheduleTable(trace: trace).attach(at: place)
    }
    if case .threw(let error) = result.ending { throw error }
  }

  /// Runs one schedule.
  func replay(_ token: ScheduleToken) async throws {
    try await finishing { try await run(token) }
  }

  private func run(_ token: ScheduleToken) async throws {
    let result = try await openly {
      await runner.run(token.schedule, tracing: .places, isReported: true)
    }
    if !token.fits(result.record) {
      TestFailure.record(ScheduleReport.misfit(token, result, form: form), at: place)
    } else if !result.failures.isEmpty {
      TestFailure.record(ScheduleReport.replay(of: result, timeout: runner.timeout), at: place)
    }
    if case .threw(let error) = result.ending { throw error }
  }
}

extension TestExploration {
  /// Analyzes a failing schedule, unless the test is cancelled, which changes what a schedule does.
  private func examine(_ finding: ScheduleSearch.Finding) async -> ScheduleFailure {
    let failure = await shrink(finding)
    guard Task.isCancelled else { return failure }
    return ScheduleFailure(
      number: finding.number, found: finding.result, shown: finding.result, doubt: .cancelled)
  }

  /// Runs a failing schedule again, and shrinks it.
  private func shrink(_ finding: ScheduleSearch.Finding) async -> ScheduleFailure {
    let found = finding.result
    func failure(_ shown: ScheduleResult, _ doubt: ScheduleFailure.Doubt?) -> ScheduleFailure {
      ScheduleFailure(number: finding.number, found: found, shown: shown, doubt: doubt)
    }
    let isPlain = found.schedule == .plain
    let again = await runner.run(found.schedule, tracing: isPlain ? .places : .steps)
    guard again.isSame(as: found) else { return failure(found, .again(again)) }
    if isPlain { return failure(again, nil) }
    // Each run shows its stray issues, and takes as long as what it waits for.
    let isStray = found.failures.contains(where: \.isStray)
    let runs = isStray ? 50 : found.findings.outsideCount > 0 ? 300 : 20_000
    var shrinking = Shrinking(found, runner, runs: runs)
    await shrinking.run()
    let shown = await runner.run(shrinking.schedule, tracing: .places)
    // The plain order passed, unless it is the first finding.
    let isNew = shown.schedule == .plain && finding.number > 1
    if isNew || shown.failures != found.failures { return failure(found, .again(shown)) }
    return failure(shown, nil)
  }

  /// Hides the issues of all schedules from Swift Testing.
  private func silently<R: Sendable>(_ operation: @Sendable () async -> R) async throws -> R {
    let issues = runner.issues
    return try await handlingIssues({ issue in
      if Test.current == nil { issues.noteStray(issue) }
      return nil
    }) {
      var result: R?
      // Inside, because issues that a test itself expects with `withKnownIssue` aren't failures.
      await withKnownIssue(isIntermittent: true) {
        result = await operation()
      } matching: { issue in
        issues.note(issue)
        return true
      }
      return result!
    }
  }

  /// Reports the issues of a schedule as they occur.
  ///
  /// - Parameter found: What the schedule has failed by. It also counts where the code around an exploration
  ///   expects it.
  private func openly<R: Sendable>(
    _ found: [RunFailure] = [], _ operation: @Sendable () async -> R
  ) async throws -> R {
    let issues = runner.issues
    return try await handlingIssues({ issue in
      if Test.current == nil {
        // Every other handler of the process has it, too.
        issues.noteStray(issue)
        return nil
      }
      guard issues.isListening else { return nil }
      if issue.isUnexpected || found.contains(RunFailure(issue)) { issues.note(issue) }
      return issue
    }) { await operation() }
  }

  private func handlingIssues<R: Sendable>(
    _ handle: @escaping @Sendable (Issue) -> Issue?, _ operation: @Sendable () async -> R
  ) async throws -> R {
    guard let test = Test.current else { return await operation() }
    let result = Mutex<R?>(nil)
    let trait: IssueHandlingTrait = .compactMapIssues(handle)
    try await trait.provideScope(for: test, testCase: Test.Case.current) {
      let value = await operation()
      result.withLock { $0 = value }
    }
    return result.withLock { $0 }!
  }
}
