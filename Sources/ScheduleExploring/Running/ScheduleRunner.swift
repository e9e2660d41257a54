internal import ComposableDependencies
internal import DependencyDebugging
internal import StandardDependencies
internal import Synchronization
internal import TestRuntime
internal import Testing

/// Runs the body of a test in given orders, each time in a new scope.
final class ScheduleRunner: Sendable {
  private let participants: [any ScheduleParticipant]
  private let body: @Sendable () async throws -> Void
  private let patience: Mutex<Patience>
  /// The places in which nobody is overtaken, because a lock is held there, each with its name if that is known.
  private let locks = Mutex<[Int: String?]>([:])
  let issues: ScheduleIssues
  /// What failures and warnings about the exploration name.
  let place: SourceLocation
  /// What each schedule can learn of its tasks.
  let sight: RuntimeSight
  /// Bodies that haven't ended, although they were cancelled.
  private let unended = Mutex<[(test: TestRun, body: Task<Void, Never>)]>([])

  init(
    _ participants: [any ScheduleParticipant], timeout: Duration = .seconds(5),
    at place: SourceLocation = #_sourceLocation, sight: RuntimeSight = .ofProcess,
    _ body: @escaping @Sendable () async throws -> Void
  ) {
    self.participants = participants
    patience = Mutex(Patience(limit: timeout))
    (self.place, self.sight) = (place, sight)
    issues = ScheduleIssues(of: place)
    self.body = body
    TrapReport.install()
    TestRun.warnOfGaps(at: place)
  }

  /// Runs the body once, or again while the machine is too busy for it.
  ///
  /// - Parameter isReported: Whether issues are reported as usual.
  func run(
    _ strategy: any Strategy, seed: UInt64, tracing: JobOrder.Tracing = .nothing,
    isReported: Bool = false
  ) async -> ScheduleResult {
    for _ in 0..<3 where !isReported {
      let result = await runOnce(strategy, seed, tracing, isReported: false)
      if !result.findings.isDisturbed || Task.isCancelled { return result }
    }
    return await runOnce(strategy, seed, tracing, isReported: isReported)
  }

  /// Runs the body in a schedule.
  func run(
    _ schedule: Schedule, tracing: JobOrder.Tracing = .nothing, isReported: Bool = false
  ) async -> ScheduleResult {
    await run(.given(schedule), seed: schedule.seed, tracing: tracing, isReported: isReported)
  }

  private func runOnce(
    _ strategy: any Strategy, _ seed: UInt64, _ tracing: JobOrder.Tracing, isReported: Bool
  ) async -> ScheduleResult {
    let order = JobOrder(
      strategy: strategy, seed: seed, tracing: tracing, locks: locks.withLock { Set($0.keys) },
      threadLimit: patience.withLock { $0.threadLimit }, sight: sight, at: place)
    issues.begin(order, isReported: isReported)
    let testRun = TestRun(order: order, root: 0)
    let (scope, leave) = scope(of: testRun, isReported: isReported)
    defer { for leave in leave { leave() } }
    let root = testRun.executor.asRunning {
      Task(executorPreference: testRun.executor) { [body] in
        let ending: ScheduleEnding
        do {
          try await scope.run { try await body() }
          ending = .returned
        } catch {
          ending = .threw(error)
        }
        order.endBody(ending)
      }
    }
    let ending = await withTaskCancellationHandler {
      await drive(order, on: testRun.executor)
    } onCancel: {
      root.cancel()
    }
    let (sleepers, restless) =
      ending.isOfBody ? ([], []) : (testRun.allSleepers, order.restlessTasks)
    // Before what is left goes on.
    if ending.isOfBody { scope.run { testRun.failOverUnfinishedStores() } }
    let (record, trace, findings) = (order.record, order.trace, order.findings)
    let schedule = Schedule(switches: record.switches, seed: order.usedSeed)
    if ending.isOfBody { order.end(on: testRun.executor) }
    // Each schedule of a test has its own; those of a part of a test share the test's.
    if TestContext.current == nil { scope.run { scope.passedOverrides?.report() } }
    testRun.markEnded()
    learn(findings)
    let found = issues.take()
    if !ending.isOfBody, await !order.stop(root, on: testRun.executor) {
      unended.withLock { $0.append((testRun, root)) }
    }
    return ScheduleResult(
      schedule: schedule, record: record, ending: ending, issues: found, trace: trace,
      findings: findings, sleepers: sleepers, restlessTasks: restless)
  }

  /// Remembers places in which a lock is held, and whether a job has held its thread.
  private func learn(_ findings: RunFindings) {
    if findings.hasHeldThread { patience.withLock { $0.didHoldThread() } }
    for stack in findings.locks {
      let name = stack?.caller.map { "\($0)" }
      locks.withLock { _ = $0.updateValue(name, forKey: stack?.id ?? ReadyJobs.everywhere) }
    }
  }

  /// The names of the places in which nobody is overtaken, because a lock is held there.
  var places: [String] {
    Set(locks.withLock { $0.values.map { $0 ?? "a place that isn't known" } }).sorted()
  }

  /// Creates the scope of a schedule, and what ends it.
  private func scope(
    of testRun: TestRun, isReported: Bool
  ) -> (DependencyScope, leave: [@Sendable () -> Void]) {
    let isOutermost = TestContext.current == nil
    let base = isOutermost ? .isolated(usingTestValues: true) : DependencyScope.current
    var scope = base.with {
      $0.testRun = testRun
      $0.testExecutor = testRun.executor
      $0.testContext = TestContext { [issues] in issues.collect($0, at: $1) }
      testRun.order.setVirtual(&$0)
    }
    if isOutermost {
      scope.recordPlaces()
      let passed = PassedOverrides()
      passed.begin(of: place.moduleName, in: scope)
      scope = scope.with { $0.passedOverrides = passed }
    }
    var leave: [@Sendable () -> Void] = []
    let outer = DependencyScope.current.scheduleParticipant.map { [$0] } ?? []
    for participant in outer + participants {
      let joined = participant.join(scope, isReported: isReported)
      scope = joined.scope
      leave.append(joined.leave)
    }
    return (scope, leave)
  }

  /// Waits for the bodies that haven't ended, although they were cancelled.
  ///
  /// Those that don't end within the timeout stay suspended. A thread that is still inside of one is waited for.
  func endAll() async {
    let unended = unended.withLock { unended in
      defer { unended = [] }
      return unended
    }
    if unended.isEmpty { return }
    TestFailure.warn(
      """
      The test waits for \(unended.count.grouped) of its schedules, which don't end although they are \
      cancelled.
        Instead: let the test end when its task is cancelled, as `Task.sleep` and asynchronous \
      sequences do. A continuation that nothing resumes never ends.
      """, at: place)
    for (test, _) in unended {
      test.order.end(on: test.executor)
      // An unstructured task, which isn't cancelled with the body, may sleep on a clock of the test.
      test.cancelSleepers()
    }
    let wait = Wait()
    Task {
      for (_, body) in unended { await body.value }
      wait.finish(.fulfilled)
    }
    _ = await Countdown(timeout).outcome(of: wait)
    for (test, _) in unended { await test.order.rest() }
  }

  /// Runs jobs until the body ends, or is known never to.
  private func drive(_ order: JobOrder, on executor: TestExecutor) async -> ScheduleEnding {
    while true {
      if let ending = await order.drain(on: executor) { return ending }
      // What holds its thread is known to come back.
      let isKnown = order.waitsForThread
      let limit = patience.withLock { isKnown ? $0.limit : $0.duration(isShown: order.isTraced) }
      let start = ContinuousClock.now
      let isThere = await order.jobArrives(within: limit)
      if !isKnown {
        patience.withLock { $0.didWait(start.duration(to: .now), successfully: isThere) }
      }
      if !isThere, !order.giveUpWaiting() { return .deadlocked }
    }
  }

  /// How long a schedule waits for work outside its executor when nothing can run.
  var timeout: Duration { patience.withLock { $0.limit } }
}
