/// The result of one schedule.
struct ScheduleResult: Sendable {
  var schedule: Schedule
  let record: ChoiceRecord
  let ending: ScheduleEnding
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

/// The number of schedules that ran, and whether they are all schedules of the test.
public struct Exploration: Sendable, Equatable, CustomStringConvertible {
  /// The number of different schedules that ran.
  public let schedules: Int

  /// Whether every schedule of the test ran, each once.
  ///
  /// This is true only if the number of all possible schedules is below the number that you ask
  /// for, and if no task left the test's executor. If the two numbers are close, the exploration
  /// may choose at random instead, because it only estimates the first one.
  ///
  /// An unstructured task (`Task { … }`) that calls actors may leave the executor unnoticed, so it
  /// counts as one that did.
  public let isExhaustive: Bool

  /// The steps of one schedule at which tasks left the test's executor, or came back.
  ///
  /// If this isn't empty, work may have run on the main actor, on an actor with its own executor, on
  /// queues or on threads. No schedule chooses when, so the test may fail in another order of it.
  public internal(set) var stepsFromOutside: [String] = []

  /// The number of schedules, with "all" before it if the exploration is exhaustive.
  public var description: String {
    let count = "\(schedules.grouped) \(schedules == 1 ? "schedule" : "schedules")"
    if isExhaustive { return "all \(count)" }
    return stepsFromOutside.isEmpty
      ? count : "\(count), and no other order of the work that left the test's executor"
  }
}

extension Int {
  /// The number with commas between thousands.
  var grouped: String {
    let digits = Array(String(self))
    return digits.indices.map { index in
      let left = digits.count - index
      return (index > 0 && left % 3 == 0 ? "," : "") + String(digits[index])
    }.joined()
  }
}
