internal import Testing

/// Identifies a case of a test.
package struct TestCaseID: Hashable, Sendable {
  let test: Test.ID
  let `case`: String?

  package static var current: TestCaseID? {
    Test.current.map { TestCaseID(test: $0.id, case: Test.Case.current.map(identity)) }
  }

  /// Identifies the cases of a test by their arguments.
  ///
  /// Swift Testing doesn't expose the identity of a case; cases that look alike share a run.
  private static func identity(of testCase: Test.Case) -> String {
    guard testCase.isParameterized else { return "" }
    return Mirror(reflecting: testCase).children
      .filter { $0.label != "body" }
      .map { String(reflecting: $0.value) }
      .joined()
  }
}
