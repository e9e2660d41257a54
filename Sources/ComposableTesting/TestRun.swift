internal import ComposableDependencies

/// What belongs to one run of a test; found in every scope made for that test.
package final class TestRun: Sendable {
  package init() {}

  /// The run of the test that the current scope was made for; nothing elsewhere.
  package static var current: TestRun? { DependencyScope.current.testRun }
}

private enum TestRunKey: DependencyKey {
  static var defaultValue: TestRun? { nil }
}

extension Dependencies {
  /// The run of the test that a scope was made for.
  var testRun: TestRun? {
    get { self[TestRunKey.self] }
    set { self[TestRunKey.self] = newValue }
  }
}
