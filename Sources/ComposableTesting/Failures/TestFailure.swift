package import ComposableDependencies
package import Testing

/// The only type in this module that fails tests.
package enum TestFailure {
  /// Fails the running test, of Swift Testing or XCTest, at a source location.
  ///
  /// If the calling task belongs to no test, the failure names the test whose scope it is in, or
  /// says that this is unknown.
  package static func record(_ message: String, at location: Testing.SourceLocation) {
    if let run = TestScope.testRun?.executor.explored,
      run.collect(RunFailure(kind: message, place: "\(location)"))
    {
      return
    }
    let message = message + (Test.current == nil ? uncertainty : "")
    if TestScope.test == nil {
      // Each of the two libraries drops failures while it runs no test.
      failXCTest(message, at: location)
    }
    Issue.record(Comment(rawValue: message), sourceLocation: location)
  }

  /// Shows a warning in the running test, without failing it.
  static func warn(_ message: String, at location: Testing.SourceLocation) {
    #if compiler(>=6.3)
      if Test.current != nil {
        Issue.record(Comment(rawValue: message), severity: .warning, sourceLocation: location)
        return
      }
    #endif
    print("\(location.fileID):\(location.line): warning: \(message)")
  }

  /// Fails the running test over a misuse of the library, at the place of the misuse if it is
  /// known.
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
      return "\n  This task is in the scope of the test “\(test.displayName ?? test.name)”."
    }
    if TestScope.testRun == nil, TestScope.isAnyActive {
      return "\n  This task is outside any test's scope, so it may belong to any running test."
    }
    return ""
  }
}
