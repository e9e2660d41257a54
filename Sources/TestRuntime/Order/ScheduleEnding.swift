/// How the body of a test has ended in a schedule.
package enum ScheduleEnding: Sendable {
  case returned
  case threw(any Error)
  /// Nothing could run, no task slept, and the body hadn't ended.
  case deadlocked
  /// Something kept running.
  case restless
}
