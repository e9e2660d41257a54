package import ComposableDependencies
package import Testing

/// The only type that fails tests.
package enum TestFailure {
  /// Fails the running test at the place of a call.
  package static func record(_ message: String, at place: CallSite) {
    record(message, at: place.location) {
      failXCTest($0, file: place.filePath, line: place.line)
    }
  }

  /// Fails the running test, of Swift Testing or XCTest, at a source location.
  ///
  /// If the calling task belongs to no test, the failure names the test whose scope it is in, or
  /// says that this is unknown.
  package static func record(_ message: String, at location: Testing.SourceLocation) {
    record(message, at: location) {
      // XCTest takes only places that are literals.
      failXCTest("\(location.fileID):\(location.line): \($0)", file: #filePath, line: #line)
    }
  }

  private static func record(
    _ message: String, at location: Testing.SourceLocation, failXCTest: (String) -> Void
  ) {
    if let collector = TestContext.current?.collector,
      collector.collect(message, at: "\(location)")
    {
      return
    }
    let message = message + (Test.current == nil ? uncertainty : "")
    // Each of the two libraries drops failures while it runs no test.
    if TestContext.currentTest == nil { failXCTest(message) }
    Issue.record(Comment(rawValue: message), sourceLocation: location)
  }

  /// Shows a warning in the running test, without failing it.
  package static func warn(_ message: String, at location: Testing.SourceLocation) {
    #if compiler(>=6.3)
      if Test.current != nil {
        Issue.record(Comment(rawValue: message), severity: .warning, sourceLocation: location)
        return
      }
    #endif
    print("\(location.fileID):\(location.line): warning: \(message)")
  }

  /// Shows a warning in the running test, at the place of a call.
  package static func warn(_ message: String, at place: CallSite) {
    warn(message, at: place.location)
  }

  /// Fails the running test over a misuse of the library, at the place of the misuse if it is
  /// known.
  package static func record(_ issue: DependencyIssue) {
    var location = TestContext.currentTest?.sourceLocation ?? #_sourceLocation
    if let fileID = issue.fileID, fileID.contains("/"), let line = issue.line, line > 0 {
      location = Testing.SourceLocation(
        fileID: fileID, filePath: fileID, line: Int(line), column: 1)
    }
    record("\(issue)", at: location)
  }

  private static var uncertainty: String {
    if let test = TestContext.currentTest {
      return "\n  This task is in the scope of the test “\(test.displayName ?? test.name)”."
    }
    if TestContext.current == nil, RunningTests.haveScope {
      return "\n  This task is outside any test's scope, so it may belong to any running test."
    }
    return ""
  }
}
