package import ComposableDependencies
internal import Synchronization
internal import Testing

/// Decides what happens to misuses of the library while tests run.
package enum MisuseHandler {
  /// Makes misuses of the library fail tests: in the scope of a test, or while a test without its
  /// own scope has a store.
  ///
  /// It replaces the process's handler once. The new handler checks where it was called, and passes
  /// other misuses to the previous handler.
  package static func install() {
    _ = isInstalled
  }

  private static let isInstalled: Void = {
    let previous = Mutex<Previous?>(nil)
    previous.withLock {
      $0 = Previous(
        handler: DependencyIssue.replaceHandler { issue in
          handle(issue) { issue in previous.withLock { $0 }?.handler(issue) }
        })
    }
  }()

  /// A structure, because a bare closure leaks memory each time it is taken out of a mutex.
  private struct Previous {
    let handler: DependencyIssue.Handler
  }

  /// Fails the test that a misuse belongs to.
  package static func handle(_ issue: DependencyIssue, otherwise: DependencyIssue.Handler) {
    if isInTest { TestFailure.record(issue) } else { otherwise(issue) }
  }

  /// Whether the running task belongs, or may belong, to a test that has its own scope or a store.
  private static var isInTest: Bool {
    if TestContext.current != nil || RunningTests.haveStore { return true }
    if let test = Test.current { return test.traits.contains { $0 is any TestScopeTrait } }
    return RunningTests.haveScope
  }
}
