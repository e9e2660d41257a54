internal import ComposableDependencies
internal import Testing

/// The line of a test that called something.
///
/// Its parts are separate parameters of the called functions, because XCTest's tests don't import
/// Testing.
package struct CallSite: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  package init(fileID: StaticString, filePath: StaticString, line: UInt, column: UInt) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  var location: Testing.SourceLocation {
    Testing.SourceLocation(
      fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
  }
}

extension TestFailure {
  /// Fails the running test at the place of the call.
  static func record(_ message: String, at place: CallSite) {
    record(message, at: place.location)
  }

  /// Shows a warning in the running test, at the place of the call.
  static func warn(_ message: String, at place: CallSite) {
    warn(message, at: place.location)
  }
}

extension Testing.SourceLocation {
  /// The line of a test that overrides dependencies, whose column isn't known.
  init(_ place: ComposableDependencies.SourceLocation) {
    let fileID = "\(place.fileID)"
    self.init(fileID: fileID, filePath: fileID, line: Int(place.line), column: 1)
  }
}
