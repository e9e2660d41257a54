package import ComposableDependencies
internal import Testing

/// Makes misuses of the library fail tests.
// unused: the default handler of issues finds this type by its name.
package enum MisuseHandler: IssueFailingTests {
  package static func fail(over issue: DependencyIssue) -> Bool {
    if TestContext.currentTest == nil, !RunningTests.areKnown {
      // If a test of XCTest is running, nothing else knows it. Otherwise, this does nothing.
      failXCTest("\(issue)", file: #filePath, line: #line)
      return false
    }
    TestFailure.record(issue)
    return true
  }
}
