package import ComposableDependencies
internal import Synchronization
internal import Testing

/// Makes misuses of the library fail tests.
// unused: the default handler of issues finds this type by its name.
package enum MisuseHandler: IssueFailingTests {
  package static var isInTest: Bool { TestContext.currentTest != nil }

  package static func fail(over issue: DependencyIssue) -> Bool {
    // Outside any test's scope, too: if no test is running, both libraries drop the failure.
    if TestContext.current?.misuses.isNew(issue) != false { TestFailure.record(issue) }
    return TestContext.current != nil || Test.current != nil
  }
}

/// The misuses in one test, each of which fails it once.
package final class Misuses: Sendable {
  private let counts = Mutex<[DependencyIssue: Int]>([:])

  func isNew(_ issue: DependencyIssue) -> Bool {
    counts.withLock { counts in
      counts[issue, default: 0] += 1
      return counts[issue] == 1
    }
  }

  /// Says how often each happened, at the end of the test.
  package func warnOfRepeated() {
    for (issue, count) in counts.withLock({ $0 }) where count > 1 {
      TestFailure.warn(
        "This happened \(count) times: \(issue)", at: TestFailure.location(of: issue))
    }
  }
}
