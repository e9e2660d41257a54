internal import ComposableDependencies
internal import Synchronization
internal import Testing
internal import DependencyDebugging

/// The scope of a test, which holds all of its overrides.
enum TestScope {
  private static let activeCount = Atomic(0)

  /// Whether any test in the process is running in a scope created for it.
  static var isAnyActive: Bool { activeCount.load(ordering: .relaxed) > 0 }

  /// The run of the test that the current scope was created for.
  static var testRun: TestRun? { DependencyScope.current.testRun }

  /// The test of Swift Testing that the running task, or else the current scope, belongs to.
  static var test: Test? { Test.current ?? DependencyScope.current.test }

  /// Counts an operation that runs in a test's scope.
  nonisolated(nonsending) static func counting<R, E: Error>(
    _ operation: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    Misuse.failsTests()
    activeCount.add(1, ordering: .relaxed)
    defer { activeCount.subtract(1, ordering: .relaxed) }
    return try await operation()
  }

  /// Creates a scope for one more run of the running test.
  static func make(
    for run: TestRun, _ updates: [ScopeUpdate], overrides: (Int, [Origin]) -> Void
  ) -> DependencyScope {
    let base = testRun == nil ? isolated : .current
    let scope = base.with {
      $0.testRun = run
      $0.test = Test.current
    }
    return updates.enumerated().reduce(scope) { scope, update in
      let (scope, recorded) = extend(scope, at: update.element.place, update.element.update)
      overrides(update.offset, recorded)
      return scope
    }
  }

  /// Runs an operation in a scope with more overrides.
  ///
  /// - Parameter overrides: Called at the end, with the overrides and what read them.
  static func run<R, E: Error>(
    _ update: (inout Dependencies) -> Void, at place: ComposableDependencies.SourceLocation,
    reporting reports: DependencyReports, overrides: (([Origin]) -> Void)?,
    _ operation: () throws(E) -> R
  ) throws(E) -> R {
    activeCount.add(1, ordering: .relaxed)
    defer { activeCount.subtract(1, ordering: .relaxed) }
    let isOutermost = testRun == nil
    let (scope, recorded) = extend(current, at: place, update)
    let ledger = scope.testRun?.ledger
    ledger?.begin(reports, in: scope)
    defer {
      ledger?.end(reports, in: scope)
      overrides?(recorded)
      if isOutermost { scope.testRun?.end() }
    }
    return try scope.run(operation)
  }

  static func run<R, E: Error>(
    _ update: (inout Dependencies) -> Void, at place: ComposableDependencies.SourceLocation,
    reporting reports: DependencyReports, overrides: (([Origin]) -> Void)?,
    isolation: isolated (any Actor)? = #isolation,
    operation: @concurrent () async throws(E) -> R
  ) async throws(E) -> R {
    activeCount.add(1, ordering: .relaxed)
    defer { activeCount.subtract(1, ordering: .relaxed) }
    let isOutermost = testRun == nil
    let (scope, recorded) = extend(current, at: place, update)
    let ledger = scope.testRun?.ledger
    ledger?.begin(reports, in: scope)
    defer {
      ledger?.end(reports, in: scope)
      overrides?(recorded)
      if isOutermost { scope.testRun?.end() }
    }
    return try await scope.run { () async throws(E) -> R in
      _ = isolation  // What the operation captures belongs to this actor, and so does this closure.
      // The child tasks of the test follow, and so are waited for as its stores' effects are.
      return try await withTaskExecutorPreference(
        scope.testRun?.executor, operation: operation)
    }
  }

  /// The same for a trait.
  static func run<R, E: Error>(
    _ update: ScopeUpdate, reporting reports: DependencyReports,
    overrides: (([Origin]) -> Void)?,
    isolation: isolated (any Actor)? = #isolation,
    operation: @concurrent () async throws(E) -> R
  ) async throws(E) -> R {
    try await run(
      update.update, at: update.place, reporting: reports, overrides: overrides,
      operation: operation)
  }

  /// Returns a scope with more overrides.
  ///
  /// The code that sets them can already read the test.
  private static func extend(
    _ scope: DependencyScope, at place: ComposableDependencies.SourceLocation,
    _ update: (inout Dependencies) -> Void
  ) -> (DependencyScope, [Origin]) {
    let extended = scope.run { scope.with(at: place, update) }
    return (extended, extended.origins(addedTo: scope))
  }

  /// The current scope if it was created for a test; otherwise a new one for the running test.
  private static var current: DependencyScope {
    Misuse.failsTests()
    if testRun != nil { return .current }
    return isolated.with {
      $0.testRun = TestRun()
      $0.test = Test.current
    }
  }

  private static var isolated: DependencyScope {
    .isolated(usingTestValues: true, recordingPlaces: true)
  }
}

/// The test that a scope was created for.
enum TestKey: UnrecordedKey {
  static var defaultValue: Test? { nil }
}

extension Dependencies {
  fileprivate var test: Test? {
    get { self[TestKey.self] }
    set { self[TestKey.self] = newValue }
  }
}
