@_exported public import ComposableReducers
public import Testing

/// Runs a test in an isolated scope; made by
/// ``Testing/Trait/dependencies(reportingLostScopes:_:)`` and
/// ``Testing/Trait/isolatedDependencies``.
public struct DependenciesTrait: TestTrait, SuiteTrait, TestScoping {
  let reportsLostScopes: Bool
  let update: @Sendable (inout Dependencies) -> Void

  /// A suite's trait is that of all tests below it.
  public var isRecursive: Bool { true }

  /// Runs one case of a test in the scope of this trait.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await TestScope.run(update) {
      if reportsLostScopes {
        try await LostScopes.report(in: test) { try await function() }
      } else {
        try await function()
      }
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
  /// The scope has a global store of its own, and reads a key's
  /// ``/ComposableDependencies/DependencyKey/testValue`` where nothing is set: tests that
  /// set values or aliases globally run in parallel with each other, and with themselves. Each case of a parameterized test has a scope of its own, and `update` is
  /// called for each; the suite's value is made in that scope too, so it may have a `@Dependency`.
  ///
  /// The traits of nested suites and of the test **add up** to one scope, and the inner one wins:
  /// its `update` comes later, and reads what the outer ones set.
  ///
  /// A detached task, a queue's callback or a thread has **no scope at all**: what it reads there are
  /// defaults, in silence. With `reportingLostScopes`, each default that is read in no scope while
  /// the test runs fails it, with the key, the place that read it, and what to write instead. Such a
  /// place belongs to no test either: where several tests that want to know run at the same time, the
  /// failure is one of the whole run, and names them. Reads of defaults outside of tests' scopes are
  /// slower while such a test runs; else this costs nothing.
  ///
  /// - Parameters:
  ///   - reportingLostScopes: Whether defaults that are read in no scope fail the test.
  ///   - update: Sets what the test shall read. What it reads itself is in the new scope.
  public static func dependencies(
    reportingLostScopes: Bool = false,
    _ update: @escaping @Sendable (inout Dependencies) -> Void
  ) -> Self {
    Self(reportsLostScopes: reportingLostScopes, update: update)
  }

  /// Runs a test in an isolated scope, without overrides.
  ///
  /// As ``dependencies(reportingLostScopes:_:)`` without the closure.
  public static func dependencies(reportingLostScopes: Bool) -> Self {
    Self(reportsLostScopes: reportingLostScopes) { _ in }
  }

  /// Runs a test in an isolated scope, without overrides.
  ///
  /// As ``dependencies(reportingLostScopes:_:)``, for a test or a suite that only needs a global
  /// store of its own, or the test values.
  public static var isolatedDependencies: Self {
    Self(reportsLostScopes: false) { _ in }
  }
}
