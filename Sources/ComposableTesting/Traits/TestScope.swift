internal import ComposableDependencies
internal import DependencyDebugging
internal import ScheduleExploring
internal import StandardDependencies
internal import TestRuntime
internal import Testing

/// The scope of a test, which holds all of its overrides.
struct TestScope {
  private let scope: DependencyScope
  private let place: SourcePlace
  private let isOutermost: Bool
  private let reports: DependencyReports
  private let overrides: [Origin]
  private let use: OverrideUse?
  private let lostReads: LostReads.Listener?

  /// Runs an operation in a scope with more overrides.
  ///
  /// - Parameter use: Gets the overrides at the end, with what read them.
  static func run<R, E: Error>(
    _ update: (inout Dependencies) -> Void, at place: SourcePlace,
    reporting reports: DependencyReports, _ use: OverrideUse?,
    _ operation: () throws(E) -> R
  ) throws(E) -> R {
    let test = TestScope(update, at: place, reporting: reports, use)
    defer { test.end() }
    test.begin()
    return try test.scope.run(operation)
  }

  static func run<R, E: Error>(
    _ update: (inout Dependencies) -> Void, at place: SourcePlace,
    reporting reports: DependencyReports, _ use: OverrideUse?,
    isolation: isolated (any Actor)? = #isolation,
    operation: @concurrent () async throws(E) -> R
  ) async throws(E) -> R {
    let test = TestScope(update, at: place, reporting: reports, use)
    defer { test.end() }
    return try await test.scope.run { () async throws(E) -> R in
      _ = isolation  // What the operation captures belongs to this actor, and so does this closure.
      // The child tasks of the test follow, and so are waited for as its stores' effects are.
      return try await withTaskExecutorPreference(test.scope.testRun?.executor) {
        @concurrent () async throws(E) -> R in
        // On the executor: Swift leaves out a hop that another one follows directly, so an operation that
        // begins on the main actor would not be in the test's order.
        test.begin()
        let result = try await operation()
        // Here, because nothing else of the test's order runs meanwhile.
        test.reportUnfinishedTasks()
        return result
      }
    }
  }

  /// Begins a scope with more overrides.
  private init(
    _ update: (inout Dependencies) -> Void, at place: SourcePlace,
    reporting reports: DependencyReports, _ use: OverrideUse?
  ) {
    lostReads = reports.contains(.lostReads) ? LostReads.begin() : nil
    isOutermost = TestContext.current == nil
    let outer = Self.current
    if isOutermost {
      let module =
        TestContext.currentTest?.sourceLocation.moduleName
        ?? String("\(place.fileID)".prefix { $0 != "/" })
      outer.passedOverrides?.begin(of: module, in: outer)
    }
    (scope, overrides) = Self.extend(outer, at: place, update)
    (self.place, self.reports, self.use) = (place, reports, use)
  }

  private func begin() { scope.testLedger?.begin(reports, in: scope) }

  /// Fails the test over tasks that it leaves behind, if its traits ask for that.
  private func reportUnfinishedTasks() {
    guard reports.contains(.unfinishedTasks), let testRun = scope.testRun else { return }
    let tasks = testRun.unfinishedTasks
    if tasks.isEmpty || !testRun.reportsUnfinishedTasks() { return }
    TestFailure.record(
      """
      The test ends before these tasks:
      \(tasks.map { "  \($0)" }.joined(separator: "\n"))
        Instead: call `await settle()`, advance the test's clock, or cancel the tasks.
      """, at: TestContext.currentTest?.sourceLocation ?? SourceLocation(place))
  }

  private func end() {
    scope.testLedger?.end(reports)
    use?.add(overrides)
    if let lostReads { LostReads.end(lostReads) }
    if isOutermost {
      scope.passedOverrides?.report()
      scope.testRun?.failOverUnfinishedStores()
      scope.testRun?.markEnded()
      scope.testContext?.misuses.warnOfRepeated()
    }
  }

  /// Returns a scope with more overrides.
  ///
  /// The code that sets them can already read the test.
  static func extend(
    _ scope: DependencyScope, at place: SourcePlace,
    _ update: (inout Dependencies) -> Void
  ) -> (DependencyScope, [Origin]) {
    let extended = scope.run { scope.with(at: place, update) }
    return (extended, extended.origins(addedTo: scope))
  }

  /// The current scope if it was created for a test; otherwise a new one for the running test.
  private static var current: DependencyScope {
    if TestContext.current != nil { return .current }
    return DependencyScope.isolated(usingTestValues: true, recordingPlaces: true).with {
      let (run, ledger) = (TestRun(isWhole: true), TestLedger())
      $0.testRun = run
      $0.testExecutor = run.executor
      $0.testContext = TestContext()
      $0.testLedger = ledger
      $0.passedOverrides = PassedOverrides()
      $0.scheduleParticipant = ledger
    }
  }
}
