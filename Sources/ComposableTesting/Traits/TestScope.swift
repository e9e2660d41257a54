internal import ComposableDependencies
internal import DependencyDebugging
internal import ScheduleExploring
internal import TestClocks

/// The scope of a test, which holds all of its overrides.
enum TestScope {
  /// Runs an operation in a scope with more overrides.
  ///
  /// - Parameter overrides: Called at the end, with the overrides and what read them.
  static func run<R, E: Error>(
    _ update: (inout Dependencies) -> Void, at place: ComposableDependencies.SourceLocation,
    reporting reports: DependencyReports, overrides: (([Origin]) -> Void)?,
    _ operation: () throws(E) -> R
  ) throws(E) -> R {
    RunningTests.beginScope()
    defer { RunningTests.endScope() }
    let isOutermost = TestContext.current == nil
    let (scope, recorded) = extend(current, at: place, update)
    let ledger = scope.testLedger
    ledger?.begin(reports, in: scope)
    defer {
      ledger?.end(reports, in: scope)
      overrides?(recorded)
      if isOutermost { scope.testRun?.markEnded() }
    }
    return try scope.run(operation)
  }

  static func run<R, E: Error>(
    _ update: (inout Dependencies) -> Void, at place: ComposableDependencies.SourceLocation,
    reporting reports: DependencyReports, overrides: (([Origin]) -> Void)?,
    isolation: isolated (any Actor)? = #isolation,
    operation: @concurrent () async throws(E) -> R
  ) async throws(E) -> R {
    RunningTests.beginScope()
    defer { RunningTests.endScope() }
    let isOutermost = TestContext.current == nil
    let (scope, recorded) = extend(current, at: place, update)
    let ledger = scope.testLedger
    ledger?.begin(reports, in: scope)
    defer {
      ledger?.end(reports, in: scope)
      overrides?(recorded)
      if isOutermost { scope.testRun?.markEnded() }
    }
    return try await scope.run { () async throws(E) -> R in
      _ = isolation  // What the operation captures belongs to this actor, and so does this closure.
      // The child tasks of the test follow, and so are waited for as its stores' effects are.
      return try await withTaskExecutorPreference(
        scope.testRun?.executor, operation: operation)
    }
  }

  /// Returns a scope with more overrides.
  ///
  /// The code that sets them can already read the test.
  static func extend(
    _ scope: DependencyScope, at place: ComposableDependencies.SourceLocation,
    _ update: (inout Dependencies) -> Void
  ) -> (DependencyScope, [Origin]) {
    let extended = scope.run { scope.with(at: place, update) }
    return (extended, extended.origins(addedTo: scope))
  }

  /// The current scope if it was created for a test; otherwise a new one for the running test.
  private static var current: DependencyScope {
    if TestContext.current != nil { return .current }
    return DependencyScope.isolated(usingTestValues: true, recordingPlaces: true).with {
      let ledger = TestLedger()
      $0.testRun = TestRun()
      $0.testContext = TestContext()
      $0.testLedger = ledger
      $0.scheduleParticipant = ledger
    }
  }
}
