@_exported public import ComposableReducers
public import Testing

/// Runs a test in an isolated scope; made by ``Testing/Trait/dependencies(_:)`` and
/// ``Testing/Trait/isolatedDependencies``.
public struct DependenciesTrait: TestTrait, SuiteTrait, TestScoping {
  let update: @Sendable (inout Dependencies) -> Void

  /// A suite's trait is that of all tests below it.
  public var isRecursive: Bool { true }

  /// Runs one case of a test in the scope of this trait.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await TestScope.run(update) { try await function() }
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
  /// The scope has a global store of its own, and reads a key's ``DependencyKey/testValue`` where
  /// nothing is set: tests that set values or aliases globally run in parallel with each other, and
  /// with themselves. Each case of a parameterized test has a scope of its own, and `update` is
  /// called for each; the suite's value is made in that scope too, so it may have a `@Dependency`.
  ///
  /// The traits of nested suites and of the test **add up** to one scope, and the inner one wins:
  /// its `update` comes later, and reads what the outer ones set.
  ///
  /// - Parameter update: Sets what the test shall read. What it reads itself is in the new scope.
  public static func dependencies(
    _ update: @escaping @Sendable (inout Dependencies) -> Void
  ) -> Self {
    Self(update: update)
  }

  /// Runs a test in an isolated scope, without overrides.
  ///
  /// As ``dependencies(_:)``, for a test or a suite that only needs a global store of its own, or
  /// the test values.
  public static var isolatedDependencies: Self {
    Self { _ in }
  }
}
