/// A place in the user's source.
@usableFromInline
package struct SourcePlace: Sendable, CustomStringConvertible {
  package let fileID: StaticString
  package let line: UInt

  @usableFromInline
  package init(fileID: StaticString, line: UInt) {
    self.fileID = fileID
    self.line = line
  }

  @usableFromInline
  package var description: String { "\(fileID):\(line)" }
}
