internal import TestRuntime

/// The result of one schedule.
struct ScheduleResult: Sendable {
  var schedule: Schedule
  let record: ChoiceRecord
  let ending: ScheduleEnding
  let issues: [RunFailure]
  let trace: ScheduleTrace?
  var findings = RunFindings()
  /// The tasks that sleep on test clocks, if the body hasn't ended.
  var sleepers: [SleepingTask] = []
  /// The tasks that could go on, if the body hasn't ended.
  var restlessTasks: [UInt64] = []

  /// Identifies the way in which a schedule fails: its failures, each once, in the order of their
  /// texts; empty if it passes.
  var failures: [RunFailure] {
    switch ending {
    case .returned: Self.unique(issues)
    case .threw(let error):
      Self.unique(issues + [RunFailure(kind: "it threw \(type(of: error))", place: "")])
    case .deadlocked: [RunFailure(kind: "nothing can run", place: "")]
    case .restless: [RunFailure(kind: "it doesn't end", place: "")]
    }
  }

  private static func unique(_ failures: [RunFailure]) -> [RunFailure] {
    var unique: [RunFailure] = []
    for failure in failures where !unique.contains(failure) {
      let index = unique.firstIndex { $0.text > failure.text } ?? unique.count
      unique.insert(failure, at: index)
    }
    return unique
  }

  /// Whether a run of the same schedule had the same result.
  func isSame(as other: ScheduleResult) -> Bool {
    record == other.record && failures == other.failures
  }
}
