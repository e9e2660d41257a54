internal import TestRuntime

/// What an exploration ran, and what that proves.
///
/// A schedule orders the steps of the test's tasks, and of the tasks and actors that they start and
/// call. It doesn't see work on queues and threads.
public struct Exploration: Sendable, Equatable, CustomStringConvertible {
  /// The number of schedules that ran.
  public let schedules: Int

  /// Whether every schedule of the test ran, each once.
  ///
  /// This is true only if the number of all possible schedules, and a tenth of the number that you ask
  /// for, fit into that number; if no task left the test's executor; and if every run of the same
  /// choices took the same steps. In none of them is a task overtaken where it holds a lock that another
  /// one waits for: ``description`` names such places.
  public var isExhaustive: Bool { ranAll && gap == nil }

  /// The maximum number of choices in a schedule.
  public internal(set) var choices = 0

  /// The number of schedules that were chosen at random.
  public internal(set) var randomSchedules = 0

  /// The number of switches up to which all schedules ran.
  ///
  /// A *switch* lets a task run before one that was ready earlier, or lets a call fail. Most ordering
  /// bugs need only one.
  public internal(set) var switches = 0

  /// Whether every schedule ran that this runtime lets a test see.
  var ranAll = false

  /// What this runtime doesn't show; `nil` if it shows all.
  var gap: String?

  /// Whether some call could fail.
  var hasCalls = false

  /// Whether the same choices always led to the same steps.
  public internal(set) var isRepeatable = true

  /// The places in which no task was overtaken, because it holds a lock there.
  var lockPlaces: [String] = []

  /// The steps of one schedule at which tasks left the test's executor, or came back.
  ///
  /// If this isn't empty, work may have run on an actor with its own executor, on queues or on
  /// threads. No schedule chooses when, so the test may fail in another order of it.
  public internal(set) var stepsFromOutside: [String] = []

  /// What ran, such as "all 560 orders of its tasks' steps".
  public var description: String {
    let ran = gap.map { "\(self.ran); \($0)" } ?? self.ran
    return lockPlaces.isEmpty
      ? ran
      : "\(ran), but no task is overtaken at \(lockPlaces.joined(separator: ", ")), where it holds a lock"
  }

  private var ran: String {
    let most = "with at most \(choices.counted("choice"))"
    if ranAll {
      let isOnly = schedules == 1
      return isOnly
        ? "\(isExhaustive ? "the only" : "1") order of its tasks' steps"
        : "\(isExhaustive ? "all " : "")\(schedules.grouped) orders of its tasks' steps\(hasCalls ? " and failing calls" : ""), \(most)"
    }
    let count = schedules.counted("schedule")
    if !stepsFromOutside.isEmpty {
      return "\(count), and no other order of the work that left the test's executor"
    }
    if !isRepeatable {
      return "\(count), although the same schedule doesn't always take the same steps"
    }
    // After a failure, nothing is proven.
    if choices == 0 { return count }
    let proven =
      switches == 0
      ? "the plain order"
      : "every order with at most \(switches.counted("switch", hasCalls ? "failure" : nil))"
    return "\(count) \(most): \(proven), and \(randomSchedules.grouped) random ones"
  }
}

extension Int {
  /// The number with a noun or two, such as "1 switch" or "1,000 switches or failures".
  func counted(_ noun: String, _ other: String? = nil) -> String {
    let nouns = [noun, other].compactMap(\.self).map { noun in
      self == 1 ? noun : noun + (noun.hasSuffix("h") ? "es" : "s")
    }
    return "\(grouped) \(nouns.joined(separator: " or "))"
  }
}
