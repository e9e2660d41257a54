internal import Synchronization
internal import TestRuntime
internal import Testing

/// Identifies a failure of a run.
struct RunFailure: Equatable, Sendable {
  let kind: String
  let place: String
  var text: String { place.isEmpty ? kind : "\(kind.shortened(to: 120)) at \(place)" }
  /// Whether Swift Testing knows no test that it belongs to.
  var isStray = false
}

/// Collects the failures of this library in one run, if they belong to no test of Swift Testing.
///
/// The handler of issues collects the others.
final class RunFailures: FailureCollector {
  private let isReported: Bool
  private let failures = Mutex<[RunFailure]>([])

  /// - Parameter isReported: Whether issues are reported as usual.
  init(isReported: Bool) {
    self.isReported = isReported
  }

  package func collect(_ message: String, at place: String) -> Bool {
    guard Test.current == nil else { return false }
    failures.withLock { $0.append(RunFailure(kind: message, place: place)) }
    return !isReported
  }

  var all: [RunFailure] { failures.withLock { $0 } }
}
