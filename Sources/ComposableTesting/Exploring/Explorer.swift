internal import Synchronization
internal import Testing
internal import DependencyDebugging

/// Runs the body of a test in given orders, each time in a new scope.
final class Explorer: Sendable {
  private let updates: [ScopeUpdate]
  /// What each update's trait asks for.
  private let traits: [DependenciesTrait]
  private let body: @Sendable () async throws -> Void
  private let patience: Mutex<Patience>
  private let issues = Mutex<(run: ScheduleRun, issues: [RunFailure])?>(nil)
  /// What failures and warnings about the exploration name.
  let place: Testing.SourceLocation
  /// The last schedule, and the last job that was said to block its thread.
  private let running = Mutex<(number: Int, run: ScheduleRun?, blocking: Int)>((0, nil, -1))

  init(
    _ traits: [DependenciesTrait], timeout: Duration = .seconds(5),
    at place: Testing.SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable () async throws -> Void
  ) {
    self.traits = traits
    patience = Mutex(Patience(limit: timeout))
    self.place = place
    updates = traits.map(\.update)
    self.body = body
    BlockWatch.shared.add(self)
  }

  /// Runs the body once.
  ///
  /// - Parameter isReported: Whether issues are reported as usual.
  func run(
    _ strategy: Strategy, seed: UInt64, isTraced: Bool = false, isReported: Bool = false
  ) async -> ScheduleResult {
    let run = ScheduleRun(strategy: strategy, isTraced: isTraced, isReported: isReported)
    // What the test itself reports once must fail the next schedule, too.
    let ledger = isReported ? nil : TestScope.testRun?.ledger
    let reported = ledger?.reported ?? []
    defer { ledger?.forget(allBut: reported) }
    issues.withLock { $0 = (run, []) }
    running.withLock { $0 = ($0.number + 1, run, $0.blocking) }
    let testRun = TestRun(exploring: run)
    let virtual = ScopeUpdate(fileID: #fileID, line: #line) { run.setVirtual(&$0, seed: seed) }
    var overrides: [[Origin]] = []
    let scope = TestScope.make(for: testRun, [virtual] + updates) { overrides.append($1) }
    for trait in traits { testRun.ledger.begin(trait.reports, in: scope) }
    defer {
      for trait in traits { testRun.ledger.end(trait.reports, in: scope) }
      for (trait, overrides) in zip(traits, overrides.dropFirst()) { trait.use?.add(overrides) }
    }
    let root = run.start {
      Task(executorPreference: testRun.executor) { [body] in
        let result: ScheduleResult.Ending
        do {
          try await scope.run { try await body() }
          result = .returned
        } catch {
          result = .threw(error)
        }
        run.end(result)
      }
    }
    let stop = await withTaskCancellationHandler {
      await drive(run, on: testRun.executor)
    } onCancel: {
      root.cancel()
    }
    let (record, trace) = (run.record, run.trace)
    if stop == nil { run.finish(on: testRun.executor) }
    let found = takeIssues() + run.collected
    if stop != nil { run.stop(root, on: testRun.executor) }
    return ScheduleResult(
      schedule: Schedule(
        switches: record.switches, seed: run.hasUsedRandomNumbers ? seed : 0),
      record: record, ending: stop ?? run.ending ?? .returned, issues: found, trace: trace,
      outsideCount: run.outsideCount)
  }

  /// Runs jobs until the body ends.
  ///
  /// - Returns: Why it will never end, if it won't.
  private func drive(
    _ run: ScheduleRun, on executor: TestExecutor
  ) async -> ScheduleResult.Ending? {
    while true {
      switch run.drain(on: executor) {
      case .ended: return nil
      case .restless: return .restless
      case .idle:
        let (limit, start) = (patience.withLock { $0.duration }, ContinuousClock.now)
        let isThere = await run.jobArrives(within: limit, on: executor)
        patience.withLock { $0.didWait(start.duration(to: .now), successfully: isThere) }
        if !isThere, !run.giveUpWaiting() { return .deadlocked }
      }
    }
  }

  /// How long a schedule waits for work outside its executor when nothing can run.
  var timeout: Duration { patience.withLock { $0.limit } }

  private func takeIssues() -> [RunFailure] {
    issues.withLock { issues in
      defer { issues = nil }
      return issues?.issues ?? []
    }
  }

  /// Whether a schedule is running that wasn't stopped.
  ///
  /// Issues of a stopped one don't matter.
  var isListening: Bool { issues.withLock { $0 != nil } }

  /// Records an issue for the running schedule.
  func note(_ issue: Issue) {
    guard issue.severity >= .error else { return }
    let run = TestScope.testRun?.executor.explored
    let kind = Mirror(reflecting: issue.kind).children.first?.label ?? "\(issue.kind)"
    let place = issue.sourceLocation.map { "\($0)" } ?? ""
    issues.withLock { issues in
      guard let current = issues?.run, run == nil || run === current else { return }
      issues?.issues.append(RunFailure(kind: kind, place: place))
    }
  }
}

extension Explorer: JobRunner {
  var runningJob: Int? {
    let (number, run, _) = running.withLock { $0 }
    return run?.runningJob.map { number * (ReadyJobs.stepLimit + 1) + $0 }
  }

  /// Warns once of a job that blocks the thread of a schedule.
  ///
  /// The job can't be abandoned: what it does later would be no part of the order any more.
  func didBlock(_ job: Int) {
    let isNew = running.withLock { running in
      defer { running.blocking = job }
      return running.blocking != job
    }
    guard isNew else { return }
    TestFailure.warn(
      """
      A job of an explored schedule has been running for \(TestRun.limit). If it waits for another \
      job, the test hangs, because all jobs of a schedule run on one thread.
        Instead: use `await` rather than what blocks a thread, such as a semaphore or a lock.
      """, at: place)
  }
}
