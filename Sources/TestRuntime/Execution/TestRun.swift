package import ComposableDependencies
internal import Synchronization
package import Testing

/// What the stores and clocks of one running test share.
package final class TestRun: Sendable {
  /// The default time that a test waits for something that may never happen.
  package static let limit = Duration.seconds(5)

  /// Runs the effects of all of the test's stores, in one order.
  package let executor: TestExecutor

  /// Those of a test without a scope, kept as long as this, so that a store's failure can name what threw before.
  private let misuses = Misuses.running

  deinit { withExtendedLifetime(misuses) {} }

  package init(order: JobOrder, root: UInt64?) {
    executor = TestExecutor(order: order, root: root)
    JobWatch.shared.add(executor)
  }

  /// Creates a run in which jobs run first in, first out.
  ///
  /// - Parameter isWhole: Whether the running task, and each task that it starts, belongs to the run.
  package convenience init(isWhole: Bool = false) {
    let place = TestContext.currentTest?.sourceLocation ?? #_sourceLocation
    self.init(
      order: JobOrder(isWhole: isWhole, at: place), root: isWhole ? TaskID.current : nil)
    if isWhole { Self.warnOfGaps(at: place) }
  }

  private static let hasWarned = Atomic(false)

  /// Warns once of what the runtime doesn't show to the tests of this process.
  package static func warnOfGaps(at place: SourceLocation) {
    if hasWarned.exchange(true, ordering: .relaxed) { return }
    for warning in [RuntimeSight.ofProcess.warning, DependencyIssue.warning] {
      if let warning { TestFailure.warn(warning, at: place) }
    }
  }

  package var order: JobOrder { executor.order }

  /// What a store for tests waits for.
  package var progress: any TestProgress { order }

  /// The run of the scope that a trait created, or nothing.
  package static var ofScope: TestRun? { DependencyScope.current.testRun }

  /// The run of the current test.
  ///
  /// The current scope knows it if a trait created the scope. Otherwise there is one run per test
  /// case, and outside of Swift Testing one for the process, whose tests run one after the other.
  package static var running: TestRun {
    if let run = ofScope { return run }
    guard let test = TestCaseID.current else { return ofProcess }
    return runs.withLock { runs in
      if let run = runs[test]?.run { return run }
      runs = runs.filter { $0.value.run != nil }
      let run = TestRun()
      runs[test] = WeakRun(run: run)
      return run
    }
  }

  private struct WeakRun {
    weak let run: TestRun?
  }

  private static let ofProcess = TestRun()
  /// The runs of tests whose scope doesn't know them, kept while a store or a clock uses them.
  private static let runs = Mutex<[TestCaseID: WeakRun]>([:])

  /// Waits until all tasks on the executor have ended or wait for something else.
  package func settle(within limit: Duration = limit, at place: CallSite) async {
    if await order.idle(within: Countdown(limit)) == .timedOut { recordUnsettled(at: place) }
  }

  /// Fails the test because something never settles, or blocks its thread.
  package func recordUnsettled(at place: CallSite) {
    let busy = order.busyTask
    TestFailure.record(
      """
      The test never settles: \(busy.name) keeps running without ever waiting\(busy.place).
        Instead: `await` a value, a clock or a continuation. Don't yield in a loop, and don't block a \
      thread with a semaphore or `Thread.sleep`.
      """, at: place)
  }

  private let clocks = Mutex<[@Sendable () -> (any ClockWithSleepers)?]>([])

  /// Remembers a clock, without retaining it.
  package func add(_ clock: any ClockWithSleepers) {
    clocks.withLock { clocks in
      clocks.removeAll { $0() == nil }
      clocks.append { [weak clock] in clock }
    }
  }

  private var livingClocks: [any ClockWithSleepers] { clocks.withLock { $0 }.compactMap { $0() } }

  /// The tasks that sleep on the clocks of the test until something advances these.
  package var sleepers: [SleepingTask] { livingClocks.flatMap(\.sleepingTasks) }

  /// The tasks that sleep on the clocks of the test, or on that of its schedule.
  package var allSleepers: [SleepingTask] { sleepers + order.sleepingTasks }

  /// Ends all sleeps on the clocks of the test, without failing it.
  package func cancelSleepers() {
    for clock in livingClocks { clock.cancelSleepers() }
  }

  private let stores = Mutex<[@Sendable () -> (any EffectNaming)?]>([])

  /// Remembers a store, without retaining it, to name its effects in messages about clocks.
  package func add(_ store: any EffectNaming) {
    stores.withLock { stores in
      stores.removeAll { $0() == nil }
      stores.append { [weak store] in store }
    }
  }

  private var livingStores: [any EffectNaming] { stores.withLock { $0 }.compactMap { $0() } }

  /// Names a task that sleeps on a clock.
  package func name(of task: SleepingTask) -> String {
    for store in livingStores {
      // Asked once, because the effect may end on another thread.
      if let effect = store.effect(of: task) { return "The \(effect)" }
    }
    return task.name.map { "The task “\($0)”" } ?? "A task"
  }

  /// The tasks that can run, or that sleep on a clock of the test, apart from effects of stores.
  package var unfinishedTasks: [String] {
    let stores = livingStores
    let asleep = sleepers.filter { sleeper in stores.allSatisfy { $0.effect(of: sleeper) == nil } }
    return order.readyTasks.map { "\($0), which can run" }
      + asleep.map { "\(name(of: $0)), which sleeps on the test's clock until \($0.deadline)" }
  }

  /// Fails the test over the effects of stores that still exist.
  package func failOverUnfinishedStores() {
    for store in livingStores { store.failIfUnfinished() }
  }

  /// Fails the test if it does nothing for a while and tasks sleep on its clocks.
  package func watchSleepers(for limit: Duration) {
    order.whenSilent(for: limit) { [weak self] in
      guard let self, !hasEnded else { return }
      for clock in livingClocks { clock.failSleepers(after: limit) }
    }
  }

  private let hasReportedTasks = Atomic(false)

  /// Whether nothing has reported unfinished tasks yet: several traits may ask for it.
  package func reportsUnfinishedTasks() -> Bool {
    !hasReportedTasks.exchange(true, ordering: .relaxed)
  }

  private let isOver = Atomic(false)

  /// Whether the test has ended, if its trait knows.
  package var hasEnded: Bool { isOver.load(ordering: .relaxed) }

  package func markEnded() { isOver.store(true, ordering: .relaxed) }
}

/// The test run of a scope that a trait created.
package enum TestRunKey: ReportingKey {
  package static var defaultValue: TestRun? { nil }
}

extension Dependencies {
  package var testRun: TestRun? {
    get { self[TestRunKey.self] }
    set { self[TestRunKey.self] = newValue }
  }
}

extension JobOrder {
  /// The order of the schedule that the current scope was created for, or nothing.
  package static var explored: JobOrder? {
    TestRun.ofScope.flatMap { $0.order.isExplored ? $0.order : nil }
  }
}
