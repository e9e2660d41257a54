package import ComposableDependencies
package import Testing

/// What a scope knows about the test that it was created for.
package struct TestContext: Sendable {
  /// The test of Swift Testing; `nil` for a test of XCTest.
  package let test: Test?
  /// Takes failures that no test of Swift Testing can collect.
  let collector: (any FailureCollector)?
  package let misuses = Misuses()

  package init(test: Test? = .current, collector: (any FailureCollector)? = nil) {
    self.test = test
    self.collector = collector
  }

  /// The context of the current scope; `nil` if the scope wasn't created for a test.
  package static var current: TestContext? { DependencyScope.current.testContext }

  /// The test of Swift Testing that the running task, or else the current scope, belongs to.
  package static var currentTest: Test? { Test.current ?? current?.test }
}

/// Collects the failures of a part of a test that may run many times.
package protocol FailureCollector: Sendable {
  /// - Returns: Whether the failure isn't to be reported.
  func collect(_ message: String, at place: String) -> Bool
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
