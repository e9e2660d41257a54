package import ComposableDependencies
package import Testing

/// The line of a test that called something.
///
/// Its parts are separate parameters of the called functions, because XCTest's tests don't import
/// Testing.
package struct CallSite: Sendable {
  package let fileID: StaticString
  package let filePath: StaticString
  package let line: UInt
  package let column: UInt

  package init(fileID: StaticString, filePath: StaticString, line: UInt, column: UInt) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  package var location: SourceLocation {
    SourceLocation(
      fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
  }
}

extension SourceLocation {
  /// The line of a test that overrides dependencies, whose column isn't known.
  package init(_ place: SourcePlace) {
    let fileID = "\(place.fileID)"
    self.init(fileID: fileID, filePath: fileID, line: Int(place.line), column: 1)
  }
}
