import ComposableEnvironment

/// The task-local that you would write without the library.
enum Plain {
  @TaskLocal static var requestID: Int?
}

/// Reads the number of the request both ways, and compares it with the expected one.
struct Probe: Sendable {
  let id: Int
  let tally: Tally

  func read(at boundary: Boundary, library: Int? = DependencyScope.current.requestID) {
    tally.count(boundary, expected: id, plain: Plain.requestID, library: library)
  }
}
