package import ComposableDependencies

/// What the tools of one running test share.
package final class TestRun: Sendable {
  package init() {}
}

/// The test run of a scope that was made for a test.
package enum TestRunKey: DependencyKey {
  package static var defaultValue: TestRun? { nil }
}

extension Dependencies {
  package var testRun: TestRun? {
    get { self[TestRunKey.self] }
    set { self[TestRunKey.self] = newValue }
  }
}
