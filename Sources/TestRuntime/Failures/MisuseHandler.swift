package import ComposableDependencies
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

  package static func note(thrower name: String) { Misuses.running?.note(thrower: name) }
}
