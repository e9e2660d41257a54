internal import TestRuntime

/// Identifies a failure of a run.
struct RunFailure: Equatable, Sendable {
  let kind: String
  let place: String
  var text: String { place.isEmpty ? kind : "\(kind.shortened(to: 120)) at \(place)" }
  /// Whether Swift Testing knows no test that it belongs to.
  var isStray = false
}
