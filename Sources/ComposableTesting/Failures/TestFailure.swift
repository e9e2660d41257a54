package import ComposableDependencies
package import Testing

/// The one place from which this module fails a test.
package enum TestFailure {
  /// Fails the running test, of Swift Testing or of XCTest, at a line of its source.
  ///
  /// Where the task that calls it belongs to no test, the failure says in which test's scope it is,
  /// or that this cannot be told.
  package static func record(_ message: String, at location: Testing.SourceLocation) {
    let message = message + (Test.current == nil ? uncertainty : "")
    if TestScope.test == nil {
      // Each of the two libraries drops what fails while none of its tests runs.
      failXCTest(message, at: location)
    }
    Issue.record(Comment(rawValue: message), sourceLocation: location)
  }

  /// Fails the running test over a misuse of the library, at the place of the misuse if it is known.
  package static func record(_ issue: DependencyIssue) {
    var location = TestScope.test?.sourceLocation ?? #_sourceLocation
    if let fileID = issue.fileID, fileID.contains("/"), let line = issue.line, line > 0 {
      location = Testing.SourceLocation(
        fileID: fileID, filePath: fileID, line: Int(line), column: 1)
    }
    record("\(issue)", at: location)
  }

  private static var uncertainty: String {
    if let test = TestScope.test {
      return "\n  In the scope of the test “\(test.displayName ?? test.name)”."
    }
    if TestScope.testRun == nil, TestScope.isAnyInForce {
      return "\n  In no test's scope, so it cannot be told which of the running tests it was."
    }
    return ""
  }
}
