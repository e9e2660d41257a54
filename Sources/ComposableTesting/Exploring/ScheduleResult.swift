internal import Testing

/// The result of one schedule.
struct ScheduleResult: Sendable {
  enum Ending: Sendable {
    case returned
    case threw(any Error)
    /// Nothing could run, no task slept, and the body hadn't ended.
    case deadlocked
    /// Something kept running.
    case restless
  }

  var schedule: Schedule
  let record: ChoiceRecord
  let ending: Ending
  let issues: [RunFailure]
  let trace: ScheduleTrace?
  /// The number of jobs that arrived from other threads.
  let outsideCount: Int

  /// Identifies the way in which a schedule fails; empty if it passes.
  var failures: Set<RunFailure> {
    switch ending {
    case .returned: Set(issues)
    case .threw(let error):
      Set(issues).union([RunFailure(kind: "it threw \(type(of: error))", place: "")])
    case .deadlocked: [RunFailure(kind: "nothing can run", place: "")]
    case .restless: [RunFailure(kind: "it doesn't end", place: "")]
    }
  }

  /// Whether a run of the same schedule had the same result.
  func isSame(as other: ScheduleResult) -> Bool {
    record == other.record && failures == other.failures
  }
}
