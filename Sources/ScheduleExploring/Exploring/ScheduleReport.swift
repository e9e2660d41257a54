internal import TestRuntime

internal import Testing

/// The failure message of a test that fails in one of its schedules.
struct ScheduleReport {
  var failure: ScheduleFailure
  let schedules: Int
  let seed: UInt64
  let form: TestExploration.Form
  /// How long a schedule waits for work outside its executor.
  let timeout: Duration
  var sight = RuntimeSight.ofProcess

  var text: String {
    let shown = failure.shown
    let explanation = Self.explanation(of: shown, timeout: timeout)
    switch failure.doubt {
    case nil:
      return """
        \(start)\(shrunk)\(explanation)

        \(shown.table?.text ?? "")

        \(replay(Self.outside(failure.found, shown))) \(recorded)
        """
    case .cancelled:
      return """
        \(start), and was cancelled before that schedule could be shrunk.\(explanation)
          Failure:   \(Self.list(shown.failures))
        \(replay(Self.outside(shown)))
        """
    case .again(let again):
      return """
        \(start), \(problem(again)).
          At first:  \(Self.list(failure.found.failures))
          Then:      \(Self.list(again.failures))\(Self.difference(failure.found, again))
        \(Self.outside(failure.found, again) ?? leftovers)
        """
    }
  }

  private var start: String {
    "This test \(failure.shown.verb) in schedule \(failure.number.grouped) of "
      + "\(schedules.grouped) (seed \(seed))"
  }

  /// What became of the schedule that was found.
  private var shrunk: String {
    let shown = failure.shown
    let failures = shown.record.failedCalls
    let switches = (shown.table?.switchCount ?? 0) - failures
    if switches + failures == 0 {
      return shown.schedule.seed == 0
        ? ", the plain order, which runs jobs first in, first out."
        : " without any switch, because of its random numbers."
    }
    let meaning =
      switch switches {
      case 0: "."
      case 1: ": a task runs before one that was ready earlier."
      default: ": tasks run before one that was ready earlier."
      }
    let counts = [(switches, "switch"), (failures, "failing call")].filter { $0.0 > 0 }
      .map { $0.0.counted($0.1) }
    return ". Shrunk to \(counts.joined(separator: " and ")) (▸)\(meaning)"
  }

  private var recorded: String {
    failure.shown.failures.contains(where: \.isStray)
      ? "Issues of detached tasks and of queues are shown under an unknown test, once for each run."
      : "Its issues are recorded where they occur."
  }

  /// What is strange about another run of a schedule.
  private func problem(_ again: ScheduleResult) -> String {
    if again.schedule == .plain, failure.found.schedule != .plain {
      "and now also in the plain order, which passed at first"
    } else if again.failures == failure.found.failures {
      "in the same way each time, but the same schedule took other steps when it ran again"
    } else {
      "but not every time: the same schedule behaved differently when it ran again"
    }
  }

  /// How to replay the shown schedule, unless work left the executor, which no token records.
  private func replay(_ outside: String?) -> String {
    if let outside { return "\(outside)\n  No token replays it exactly." }
    let (schedule, record) = (failure.shown.schedule, failure.shown.record)
    let switches = schedule.switches.count
    return switches > Self.tokenLimit
      ? "  A token of its \(switches.grouped) switches would be too long. Explore with the same seed."
      : "  Replay it: `\(Self.remedy(ScheduleToken(schedule, foundIn: record), form))`."
  }

  /// The number of switches above which a report has no token.
  private static let tokenLimit = 200

  private static func remedy(_ token: ScheduleToken, _ form: TestExploration.Form) -> String {
    switch form {
    case .trait: ".replaying(\"\(token.text)\")"
    case .function: "explore(replaying: \"\(token.text)\") { … }"
    }
  }

  /// Explains a schedule that doesn't end by itself.
  private static func explanation(of result: ScheduleResult, timeout: Duration) -> String {
    switch result.ending {
    case .returned: ""
    // What `#require` throws has been recorded as an issue.
    case .threw(is ExpectationFailedError): ""
    case .threw(let error): "\nIt throws: \("\(error)".shortened(to: 400))"
    case .deadlocked:
      """

      It hasn't ended, and nothing can run: \
      \(result.sleepers.isEmpty ? "no task sleeps" : "tasks sleep only on a clock of the test").\
      \(result.table.map { "\n" + $0.waiting(result.sleepers) } ?? "")
        Instead: make sure that something resumes each task in every order, or advances its clock. \
      The test waits \(timeout) for work that leaves its executor (a queue, a thread, `Task.sleep`): \
      override such dependencies and sleep on `\\.continuousClock`, or pass a longer `timeout`.
      """
    case .restless:
      """

      After \(result.record.steps.grouped) steps, something still runs\
      \(result.table.map { ":\n" + $0.running(result.restlessTasks, result.sleepers) } ?? ".")
        Instead: wait for a value, a clock or a continuation rather than yielding in a loop, and end \
      repeating timers.
      """
    }
  }

  private var leftovers: String {
    guard let gap = sight.gap, let remedy = sight.remedy else { return Self.leftovers }
    return """
        Nothing is known to have left the test's executor, but \(gap). So a schedule may not choose when all of \
      the test's tasks run.
        Instead: \(remedy)
      """
  }

  private static let leftovers = """
      Nothing left the test's executor, so the test depends on what differs from run to run \
    (`Int.random`, `Date()`, `UUID()`, the order of a set or a dictionary), or on what an earlier \
    run left behind (a static variable, a global variable, a file).
      Instead: read `\\.randomNumberGenerator`, `\\.date` and `\\.uuid`, which each schedule sets. \
    Create other values in the test, or in a dependency that `.dependencies { … }` sets, so that \
    each schedule has its own.
    """

  /// Describes the work that left the executor in any of some runs; `nil` if none did.
  private static func outside(_ results: ScheduleResult...) -> String? {
    var (count, steps) = (0, "")
    for result in results {
      count = max(count, result.findings.outsideCount)
      guard let table = result.table else { continue }
      steps = ""
      for step in table.stepsOutside { steps += "    \(step)\n" }
    }
    if count == 0 { return nil }
    return """
        \(count == 1 ? "A task" : "Tasks") left the test's executor, so a schedule can't choose when \
      \(count == 1 ? "it comes" : "they come") back:
      \(steps)  Instead: \(stayInside)
      """
  }

  /// How to keep work on the test's executor.
  static let stayInside = """
    override what uses a queue or another thread; sleep on `\\.continuousClock`, \
    not with `Task.sleep`.
    """

  private static func list(_ failures: [RunFailure]) -> String {
    failures.isEmpty ? "no failure" : failures.map(\.text).joined(separator: "; ")
  }

  /// Where two runs of the same schedule differ.
  private static func difference(_ first: ScheduleResult, _ second: ScheduleResult) -> String {
    guard first.schedule == second.schedule, first.record != second.record else { return "" }
    let (first, second) = (first.record, second.record)
    for index in 0..<min(first.choices.count, second.choices.count) {
      let (before, after) = (first.choices[index].width, second.choices[index].width)
      if before == after { continue }
      return """

          They differ at choice \(index): \(before) jobs were ready at first, \(after) the second time.
        """
    }
    return
      "\n  They differ at the end: \(first.steps) steps at first, \(second.steps) the second time."
  }
}

extension ScheduleReport {
  /// Returns the message of a failing replayed schedule.
  static func replay(of result: ScheduleResult, timeout: Duration) -> String {
    """
    The replayed schedule \(result.verb).\(explanation(of: result, timeout: timeout))

    \(result.table?.text ?? "")
    """
  }

  /// Returns the message of a token that another run produced.
  static func misfit(
    _ token: ScheduleToken, _ result: ScheduleResult, form: TestExploration.Form
  ) -> String {
    let search =
      switch form {
      case .trait: ".exploring()` in place of `.replaying(…)"
      case .function: "explore { … }` without `replaying:"
      }
    let reason =
      result.findings.outsideCount == 0
      ? "The code has changed since, or the token is from another test."
      : "Tasks left the test's executor, so the same schedule may take other steps each time."
    return """
      The token \(remedy(token, form)) doesn't fit this test, which makes different choices from the \
      run that produced the token. \(reason)
        Instead: find a failing schedule again with `\(search)`.
      """
  }
}

extension ScheduleResult {
  fileprivate var table: ScheduleTable? { trace.map { ScheduleTable(trace: $0) } }

  /// What a failing run does.
  fileprivate var verb: String {
    switch ending {
    case .returned, .threw: "fails"
    case .deadlocked: "is deadlocked or waits for work outside its executor"
    case .restless: "doesn't end"
    }
  }
}
