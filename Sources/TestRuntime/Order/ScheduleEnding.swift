/// How a schedule has ended.
package enum ScheduleEnding: Sendable {
  case returned
  case threw(any Error)
  /// Nothing could run, no task slept, and the body hadn't ended.
  case deadlocked
  /// Something kept running.
  case restless

  /// Whether the body ended by itself.
  package var isOfBody: Bool {
    switch self {
    case .returned, .threw: true
    case .deadlocked, .restless: false
    }
  }
}
