package import ComposableDependencies
package import Testing

/// What a scope knows about the test that it was created for.
package struct TestContext: Sendable {
  /// The test of Swift Testing; `nil` for a test of XCTest.
  package let test: Test?
  /// Takes a message and a place of a failure that no test of Swift Testing can collect, and returns whether it
  /// isn't to be reported.
  let collect: (@Sendable (String, String) -> Bool)?
  package let misuses = Misuses()

  package init(test: Test? = .current, collect: (@Sendable (String, String) -> Bool)? = nil) {
    self.test = test
    self.collect = collect
  }

  /// The context of the current scope; `nil` if the scope wasn't created for a test.
  package static var current: TestContext? { DependencyScope.current.testContext }

  /// The test of Swift Testing that the running task, or else the current scope, belongs to.
  package static var currentTest: Test? { Test.current ?? current?.test }
}

/// The context of a scope that was created for a test.
package enum TestContextKey: ReportingKey {
  package static var defaultValue: TestContext? { nil }
}

extension Dependencies {
  package var testContext: TestContext? {
    get { self[TestContextKey.self] }
    set { self[TestContextKey.self] = newValue }
  }
}
