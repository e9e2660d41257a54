internal import ComposableDependencies
internal import Synchronization
internal import Testing

/// The scope that is made for a test, in which all of its overrides are.
enum TestScope {
  private static let inForce = Atomic(0)

  /// Whether a test runs in a scope made for it, anywhere in the process.
  static var isAnyInForce: Bool { inForce.load(ordering: .relaxed) > 0 }

  /// The run of the test that the current scope was made for.
  static var testRun: TestRun? { DependencyScope.current.testRun }

  /// The test of Swift Testing that the running task, or else the current scope, belongs to.
  static var test: Test? { Test.current ?? DependencyScope.current.test }

  static func run<R, E: Error>(
    _ update: (inout Dependencies) -> Void, _ operation: () throws(E) -> R
  ) throws(E) -> R {
    inForce.add(1, ordering: .relaxed)
    defer { inForce.subtract(1, ordering: .relaxed) }
    return try extend(current, update).run(operation)
  }

  nonisolated(nonsending) static func run<R, E: Error>(
    _ update: (inout Dependencies) -> Void,
    _ operation: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    inForce.add(1, ordering: .relaxed)
    defer { inForce.subtract(1, ordering: .relaxed) }
    let scope = extend(current, update)
    return try await scope.run { () async throws(E) -> R in
      // The child tasks of the test follow, and so are waited for as its stores' effects are.
      try await withTaskExecutorPreference(scope.testRun?.executor, operation: operation)
    }
  }

  /// A scope with more overrides; what makes them knows already which test it is for.
  private static func extend(
    _ scope: DependencyScope, _ update: (inout Dependencies) -> Void
  ) -> DependencyScope {
    scope.run { scope.with(update) }
  }

  /// The current scope where it was made for a test, or else a new one for the running test.
  private static var current: DependencyScope {
    Misuse.failsTests()
    if testRun != nil { return .current }
    return DependencyScope.isolated(usingTestValues: true).with {
      $0.testRun = TestRun()
      $0.test = Test.current
    }
  }
}

/// The test of a scope that was made for one.
enum TestKey: DependencyKey {
  static var defaultValue: Test? { nil }
}

extension Dependencies {
  fileprivate var test: Test? {
    get { self[TestKey.self] }
    set { self[TestKey.self] = newValue }
  }
}
