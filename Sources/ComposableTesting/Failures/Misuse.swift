package import ComposableDependencies
internal import Synchronization
internal import Testing

/// What happens to misuses of the library while tests run.
package enum Misuse {
  /// From now on, a misuse in the scope of a test fails that test.
  ///
  /// The handler of the process is replaced once, by one that asks where it was called. Misuses that
  /// are no such test's go to the handler in force before.
  package static func failsTests() {
    _ = handlerIsReplaced
  }

  private static let handlerIsReplaced: Void = {
    let previous = Mutex<DependencyIssue.Handler?>(nil)
    previous.withLock {
      $0 = DependencyIssue.replaceHandler { issue in
        handle(issue) { issue in previous.withLock { $0 }?(issue) }
      }
    }
  }()

  /// Fails the test that a misuse belongs to.
  package static func handle(_ issue: DependencyIssue, otherwise: DependencyIssue.Handler) {
    if isInTest { TestFailure.record(issue) } else { otherwise(issue) }
  }

  /// Whether the running task belongs to a test for which a scope was made, or may belong to one.
  private static var isInTest: Bool {
    if TestScope.testRun != nil { return true }
    if let test = Test.current { return test.traits.contains { $0 is DependenciesTrait } }
    return TestScope.isAnyInForce
  }
}
