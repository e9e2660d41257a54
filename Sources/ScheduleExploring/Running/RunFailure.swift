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

extension RunFailure {
  init(_ issue: Issue, isStray: Bool = false) {
    kind = Mirror(reflecting: issue.kind).children.first?.label ?? "\(issue.kind)"
    place = issue.sourceLocation.map { "\($0)" } ?? ""
    self.isStray = isStray
  }
}
