@_exported public import ComposableReducers
public import Testing

/// A trait that runs a test in an isolated scope.
///
/// Create it with ``Testing/Trait/dependencies(reportingLostScopes:_:)`` or
/// ``Testing/Trait/isolatedDependencies``.
public struct DependenciesTrait: TestTrait, SuiteTrait, TestScoping {
  let reportsLostScopes: Bool
  let update: @Sendable (inout Dependencies) -> Void

  /// Always true, because a suite's trait applies to all of its tests.
  public var isRecursive: Bool { true }

  /// Runs one case of a test in this trait's scope.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // The exploring trait creates a scope for each schedule.
    if ExploringTrait.explores(test) {
      return try await reporting(in: test) { try await function() }
    }
    try await TestScope.run(update) {
      try await reporting(in: test) { try await function() }
    }
  }

  private func reporting(
    in test: Test, _ function: () async throws -> Void
  ) async throws {
    if reportsLostScopes {
      try await LostScopes.report(in: test) { try await function() }
    } else {
      try await function()
    }
  }
}

extension Trait where Self == DependenciesTrait {
  /// Runs a test in an isolated scope, with some dependencies overridden.
  ///
  /// ```swift
  /// @Suite(.dependencies { $0.retryLimit = 1 })
  /// struct SearchTests {
  ///   @Test(.dependencies { $0.apiClient.search = { [$0] } })
  ///   func findsWhatIsAskedFor() async { … }
  /// }
  /// ```
  ///
  /// The scope has its own global store. Unset keys read
  /// ``/ComposableDependencies/DependencyKey/testValue`` instead of their default value. So tests
  /// that set values or aliases globally run in parallel with each other, and with themselves. Each
  /// case of a parameterized test has its own scope, for which `update` is called. The suite's
  /// value is created in that scope, too, so it can have a `@Dependency`.
  ///
  /// The traits of nested suites and of the test **add up** to one scope. The `update` of an inner
  /// trait runs later, sees what the outer ones set, and wins.
  ///
  /// A detached task, a queue's callback or a thread has **no scope**: it silently reads defaults.
  /// With `reportingLostScopes`, each default that is read outside any scope while the test runs
  /// fails the test, and the failure names the key, the reading code, and what to write instead.
  /// Such a read doesn't belong to a particular test. If several tests listen at the same time, the
  /// failure belongs to the whole run and names all of them. While such a test runs, reads of
  /// defaults outside of tests' scopes are slower; otherwise, this costs nothing.
  ///
  /// - Parameters:
  ///   - reportingLostScopes: Whether defaults that are read outside any scope fail the test.
  ///   - update: Overrides dependencies for the test. Reads inside this closure see the overrides
  ///     made so far.
  public static func dependencies(
    reportingLostScopes: Bool = false,
    _ update: @escaping @Sendable (inout Dependencies) -> Void
  ) -> Self {
    Self(reportsLostScopes: reportingLostScopes, update: update)
  }

  /// Runs a test in an isolated scope, without overrides.
  ///
  /// Like ``dependencies(reportingLostScopes:_:)`` without the closure.
  public static func dependencies(reportingLostScopes: Bool) -> Self {
    Self(reportsLostScopes: reportingLostScopes) { _ in }
  }

  /// Runs a test in an isolated scope, without overrides.
  ///
  /// Use it instead of ``dependencies(reportingLostScopes:_:)`` for a test or a suite that only
  /// needs its own global store, or test values.
  public static var isolatedDependencies: Self {
    Self(reportsLostScopes: false) { _ in }
  }

  /// Not available: say which dependencies to override, or that there are none.
  @available(
    *, unavailable,
    message: """
      override dependencies, as in `.dependencies { $0.retryLimit = 1 }`, or write \
      `.isolatedDependencies`
      """
  )
  public static var dependencies: Self { isolatedDependencies }
}
