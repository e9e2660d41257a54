internal import Testing

/// The line of a test from which something was called.
///
/// Its parts are parameters of what a test calls: XCTest's tests do not import Testing.
package struct SourcePlace: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt
}

extension TestFailure {
  /// Fails the running test at the place from which it has called something.
  static func record(_ message: String, at place: SourcePlace) {
    record(
      message,
      at: Testing.SourceLocation(
        fileID: "\(place.fileID)", filePath: "\(place.filePath)",
        line: Int(place.line), column: Int(place.column)))
  }
}
