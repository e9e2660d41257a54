internal import TestClocks
internal import ComposableDependencies
public import Testing
internal import DependencyDebugging

/// The error that an unimplemented closure throws.
public struct UnimplementedError: Error, CustomStringConvertible {
  /// The property or dependency that holds the closure.
  public let name: String

  let place: CallSite

  /// The place that declares the closure unimplemented.
  public var sourceLocation: Testing.SourceLocation { place.location }

  /// The name and the place of the closure, and what to write instead.
  public var description: String {
    """
    `\(name)` was used, but it's declared unimplemented at \(place.fileID):\(place.line).
      Instead: override it for this test, as in `.dependencies { \(assignment) }`.
    """
  }

  /// The code that sets it, if the name is the name of a property.
  private var assignment: String {
    name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
      ? "$0.\(name) = …" : "…"
  }

  func failTest() {
    let origin = DependencyScope.current.origin(named: name.prefix { $0 != "." })
    TestFailure.record(description + (origin.map { "\n  \($0)" } ?? ""), at: place)
  }
}
