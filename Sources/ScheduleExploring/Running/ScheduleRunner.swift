package import ComposableDependencies
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

  /// Runs the body once.
  ///
  /// - Parameters:
  ///   - strategy: How it chooses what runs next.
  ///   - seed: The seed of its random numbers.
  ///   - isTraced: Whether it records what runs when.
  ///   - capturesPlaces: Whether it records where, too.
  ///   - isReported: Whether issues are reported as usual.
  func run(
    _ strategy: any Strategy, seed: UInt64, isTraced: Bool = false, capturesPlaces: Bool = false,
    isReported: Bool = false
  ) async -> ScheduleResult {
    for _ in 0..<3 where !isReported {
      let result = await runOnce(
        strategy, seed: seed, isTraced: isTraced, capturesPlaces: capturesPlaces, isReported: false)
      if !result.isDisturbed || Task.isCancelled { return result }
    }
    return await runOnce(
      strategy, seed: seed, isTraced: isTraced, capturesPlaces: capturesPlaces,
      isReported: isReported)
  }

  private func runOnce(
    _ strategy: any Strategy, seed: UInt64, isTraced: Bool, capturesPlaces: Bool, isReported: Bool
  ) async -> ScheduleResult {
    let order = JobOrder(
      strategy: strategy, seed: seed, isTraced: isTraced, capturesPlaces: capturesPlaces,
      locks: locks.withLock { Set($0.keys) }, sight: sight, at: place)
    issues.begin(order)
    let testRun = TestRun(order: order, root: 0)
    let failures = RunFailures(isReported: isReported)
    let (scope, leave) = scope(of: testRun, failures, isReported: isReported)
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
        order.end(ending)
      }
    }
    let stop = await withTaskCancellationHandler {
      await drive(order, on: testRun.executor)
    } onCancel: {
      root.cancel()
    }
    let (sleepers, readyTasks) = stop == nil ? ([], []) : (testRun.allSleepers, order.restlessTasks)
    if stop == nil { order.end(on: testRun.executor) }
    // Each schedule of a test has its own; those of a part of a test share the test's.
    if TestContext.current == nil { scope.run { scope.passedOverrides?.report() } }
    testRun.markEnded()
    learn(order.foundLocks)
    let (record, trace) = (order.record, order.trace)
    let found = issues.take() + failures.all
    if stop != nil, await !order.stop(root, on: testRun.executor) {
      unended.withLock { $0.append((testRun, root)) }
    }
    return ScheduleResult(
      schedule: Schedule(switches: record.switches, seed: order.usedSeed), record: record,
      ending: stop ?? order.ending ?? .returned, issues: found, trace: trace,
      outsideCount: order.outsideCount, isLimited: order.isLimited,
      isCut: !order.foundLocks.isEmpty,
      isDisturbed: order.isDisturbed, hasRefused: order.hasRefused, sleepers: sleepers,
      readyTasks: readyTasks)
  }

  /// Remembers places in which a lock is held.
  private func learn(_ stacks: [SourceStack?]) {
    for stack in stacks {
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
    of testRun: TestRun, _ failures: RunFailures, isReported: Bool
  ) -> (DependencyScope, leave: [@Sendable () -> Void]) {
    let isOutermost = TestContext.current == nil
    let base = isOutermost ? .isolated(usingTestValues: true) : DependencyScope.current
    var scope = base.with {
      $0.testRun = testRun
      $0.testExecutor = testRun.executor
      $0.testContext = TestContext(collector: failures)
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
  /// Those that don't end within the timeout stay suspended.
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
    for (test, _) in unended { test.order.rest() }
  }

  /// Runs jobs until the body ends.
  ///
  /// - Returns: Why it will never end, if it won't.
  private func drive(
    _ order: JobOrder, on executor: TestExecutor
  ) async -> ScheduleEnding? {
    while true {
      switch await order.drain(on: executor) {
      case .ended: return nil
      case .restless: return .restless
      case .idle:
        // What holds its thread is known to come back.
        let isKnown = order.waitsForThread
        let limit = patience.withLock {
          isKnown ? $0.limit : $0.duration(isShown: order.isTraced)
        }
        let start = ContinuousClock.now
        let isThere = await order.jobArrives(within: limit)
        if !isKnown {
          patience.withLock {
            $0.didWait(start.duration(to: .now), successfully: isThere)
          }
        }
        if !isThere, !order.giveUpWaiting() { return .deadlocked }
      }
    }
  }

  /// How long a schedule waits for work outside its executor when nothing can run.
  var timeout: Duration { patience.withLock { $0.limit } }
}

/// The issues of the running schedule.
///
/// Not a part of the runner: Swift Testing hands this to every task of the test. Some of these tasks
/// outlive the test's function, which the runner retains.
final class ScheduleIssues: Sendable {
  private let issues = Mutex<(order: JobOrder, issues: [RunFailure])?>(nil)
  private let place: SourceLocation
  /// The places of all tests that are being explored.
  private static let places = Mutex<[SourceLocation]>([])

  init(of place: SourceLocation) {
    self.place = place
    Self.places.withLock { $0.append(place) }
  }

  deinit {
    Self.places.withLock { places in
      if let index = places.firstIndex(of: place) { places.remove(at: index) }
    }
  }

  /// Begins to collect the issues of a schedule.
  func begin(_ order: JobOrder) {
    issues.withLock { $0 = (order, []) }
  }

  /// Returns the issues of the running schedule, and ignores later ones.
  func take() -> [RunFailure] {
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
    let order = JobOrder.explored
    add(issue, isStray: false) { order == nil || order === $0 }
  }

  /// Records an issue that no test has: of a detached task, or of a queue or thread.
  ///
  /// Swift Testing hands such an issue to every running test. It belongs to the schedule whose job
  /// this thread runs. If there is none, it belongs to the explored test above its line.
  func noteStray(_ issue: Issue) {
    guard issue.isUnexpected else { return }
    let running = RunningExecutors.shared.current?.order
    let isHere = running == nil && issue.sourceLocation.map(Self.test(above:)) == .some(place)
    add(issue, isStray: true) { isHere || running === $0 }
  }

  private static func test(above line: SourceLocation) -> SourceLocation? {
    places.withLock { $0 }.filter { $0.fileID == line.fileID && $0.line <= line.line }
      .max { $0.line < $1.line }
  }

  private func add(_ issue: Issue, isStray: Bool, if belongs: (JobOrder) -> Bool) {
    guard issue.isError else { return }
    let kind = Mirror(reflecting: issue.kind).children.first?.label ?? "\(issue.kind)"
    let place = issue.sourceLocation.map { "\($0)" } ?? ""
    issues.withLock { issues in
      guard let current = issues?.order, belongs(current) else { return }
      issues?.issues.append(RunFailure(kind: kind, place: place, isStray: isStray))
    }
  }
}

/// How long the schedules of a test wait for a job from outside when nothing can run.
struct Patience {
  /// The longest wait.
  let limit: Duration

  /// The longest wait for a job that came.
  private var longest = Duration.zero
  private var hasTimedOut = false

  init(limit: Duration) {
    self.limit = limit
  }

  /// Returns how long to wait now.
  ///
  /// Whether a job is going to come isn't known, so the first wait that times out takes as long as
  /// the limit. The waits after it take a few times as long as any job took to come. If none has
  /// ever come, only a schedule to be shown waits.
  ///
  /// - Parameter isShown: Whether the schedule may be shown.
  func duration(isShown: Bool) -> Duration {
    guard hasTimedOut else { return limit }
    if longest == .zero, !isShown { return .zero }
    return min(limit, longest * 4 + .milliseconds(2))
  }

  /// Records whether a job came, and how long it took.
  mutating func didWait(_ duration: Duration, successfully isThere: Bool) {
    if isThere { longest = max(longest, duration) } else { hasTimedOut = true }
  }
}

/// What takes part in each schedule of a test, such as a trait that overrides dependencies.
package protocol ScheduleParticipant: Sendable {
  /// Extends the scope of a schedule that is about to run.
  ///
  /// - Parameter isReported: Whether the schedule's issues are reported as usual.
  /// - Returns: The scope, and what to call after the schedule.
  func join(
    _ scope: DependencyScope, isReported: Bool
  ) -> (scope: DependencyScope, leave: @Sendable () -> Void)
}

/// What takes part in the schedules that code in a scope explores.
package enum ScheduleParticipantKey: UnrecordedKey {
  package static var defaultValue: (any ScheduleParticipant)? { nil }
}

extension Dependencies {
  package var scheduleParticipant: (any ScheduleParticipant)? {
    get { self[ScheduleParticipantKey.self] }
    set { self[ScheduleParticipantKey.self] = newValue }
  }
}

/// The result of one schedule.
struct ScheduleResult: Sendable {
  var schedule: Schedule
  let record: ChoiceRecord
  let ending: ScheduleEnding
  let issues: [RunFailure]
  let trace: ScheduleTrace?
  /// The number of jobs that arrived from other threads.
  let outsideCount: Int
  /// Whether too many tasks were overtaken for some to be.
  var isLimited = false
  /// Whether the schedule isn't one of the test's, because a task was overtaken that held a lock.
  var isCut = false
  /// Whether others went on beside a task only because the machine is busy.
  var isDisturbed = false
  /// Whether a task would have been overtaken where a lock is held.
  var hasRefused = false
  /// The tasks that sleep on test clocks, if the body hasn't ended.
  var sleepers: [SleepingTask] = []
  /// The tasks that could go on, if the body hasn't ended.
  var readyTasks: [UInt64] = []

  /// Identifies the way in which a schedule fails: its failures, each once, in the order of their
  /// texts; empty if it passes.
  var failures: [RunFailure] {
    switch ending {
    case .returned: Self.unique(issues)
    case .threw(let error):
      Self.unique(issues + [RunFailure(kind: "it threw \(type(of: error))", place: "")])
    case .deadlocked: [RunFailure(kind: "nothing can run", place: "")]
    case .restless: [RunFailure(kind: "it doesn't end", place: "")]
    }
  }

  private static func unique(_ failures: [RunFailure]) -> [RunFailure] {
    var unique: [RunFailure] = []
    for failure in failures where !unique.contains(failure) {
      let index = unique.firstIndex { $0.text > failure.text } ?? unique.count
      unique.insert(failure, at: index)
    }
    return unique
  }

  /// Whether a run of the same schedule had the same result.
  func isSame(as other: ScheduleResult) -> Bool {
    record == other.record && failures == other.failures
  }
}
