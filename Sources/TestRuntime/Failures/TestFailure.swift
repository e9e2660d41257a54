package import ComposableDependencies
internal import Synchronization
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
  package static func record(_ message: String, at location: SourceLocation) {
    record(message, at: location) {
      // XCTest takes only places that are literals, so the message names it, if it doesn't already.
      let place = "\(location.fileID):\(location.line): "
      failXCTest(($0.hasPrefix(place) ? "" : place) + $0, file: #filePath, line: #line)
    }
  }

  private static func record(
    _ message: String, at location: SourceLocation, failXCTest: (String) -> Void
  ) {
    if TestContext.current?.collect?(message, "\(location)") == true { return }
    // Each of the two libraries drops failures while it runs no test.
    if TestContext.currentTest == nil { failXCTest(message) }
    let comment = Comment(rawValue: message + (Test.current == nil ? uncertainty : ""))
    Issue.record(comment, sourceLocation: location)
  }

  /// Shows a warning in the running test, without failing it.
  package static func warn(_ message: String, at location: SourceLocation) {
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
    record("\(issue)\(SourceStack.callerLine())", at: location(of: issue))
  }

  static func location(of issue: DependencyIssue) -> SourceLocation {
    guard let fileID = issue.fileID, fileID.contains("/"), let line = issue.line, line > 0
    else { return TestContext.currentTest?.sourceLocation ?? #_sourceLocation }
    return SourceLocation(fileID: fileID, filePath: fileID, line: Int(line), column: 1)
  }

  private static var uncertainty: String {
    if let test = TestContext.currentTest {
      return "\n  This task is in the scope of the test “\(test.displayName ?? test.name)”."
    }
    return "\n  This task is outside any test's scope, so it may belong to any running test."
  }
}

extension Issue {
  /// Whether it isn't just a warning, which came with Swift 6.3.
  package var isError: Bool {
    #if compiler(>=6.3)
      severity >= .error
    #else
      true
    #endif
  }

  /// Whether it fails the test.
  package var isUnexpected: Bool {
    #if compiler(>=6.3)
      isFailure
    #else
      // Swift 6.2 says only here that the test expects it.
      Mirror(reflecting: self).children.allSatisfy {
        $0.label != "knownIssueContext" || Mirror(reflecting: $0.value).children.isEmpty
      }
    #endif
  }
}

private let hasWarnedOfXCTest = Atomic(false)

/// Fails the running test of XCTest, if there is one.
///
/// It looks up XCTest in the process, so that tests that don't use it needn't link it.
func failXCTest(_ message: String, file: StaticString, line: UInt) {
  typealias XCTFail = @convention(thin) (String, StaticString, UInt) -> Void
  let name = "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF"
  guard let symbol = symbolAddress(name) else {
    if !hasWarnedOfXCTest.exchange(true, ordering: .relaxed) {
      print(
        "warning: This may fail no test, because `XCTFail` isn't found by its mangled name: \(message)"
      )
    }
    return
  }
  // Sound: the mangled name of the symbol includes the function's type.
  unsafe unsafeBitCast(symbol, to: XCTFail.self)(message, file, line)
}
