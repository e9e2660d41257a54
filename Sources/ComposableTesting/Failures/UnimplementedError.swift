public import Testing

/// What a closure throws that is not implemented.
public struct UnimplementedError: Error, CustomStringConvertible {
  /// What the closure is called where it is read.
  public let name: String

  /// Where the closure is declared.
  public let sourceLocation: Testing.SourceLocation

  /// The name and the place, and what to write instead.
  public var description: String {
    """
    `\(name)` is used, but not implemented: it was declared so at \
    \(sourceLocation.fileID):\(sourceLocation.line).
      Instead: override it for this test, as in `.dependencies { $0.\(name) = … }`.
    """
  }

  func failTest() {
    TestFailure.record(description, at: sourceLocation)
  }
}
