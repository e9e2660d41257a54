internal import TestRuntime
internal import Testing

/// A readable table of a trace.
struct ScheduleTable {
  let trace: ScheduleTrace

  /// The number of lines above which only those around the first switches, at the start and at the
  /// end are shown.
  private static let limit = 60
  /// The number of switches whose surroundings are shown.
  private static let switchLimit = 20

  private struct Line {
    let text: String
    let isSwitch: Bool
    var stack: SourceStack?

    /// The text, with the place in the source, which takes a while to find.
    var withPlace: String { text + (stack?.caller.map { ", at \($0)" } ?? "") }
  }

  var text: String {
    let lines = lines
    guard lines.count > Self.limit else {
      return lines.map(\.withPlace).joined(separator: "\n")
    }
    var isShown = lines.indices.map { $0 < 6 || $0 >= lines.count - 14 }
    var switchesLeft = Self.switchLimit
    for (index, line) in lines.enumerated() where line.isSwitch && switchesLeft > 0 {
      switchesLeft -= 1
      for near in max(index - 5, 0)...min(index + 5, lines.count - 1) { isShown[near] = true }
    }
    var text = ""
    for (index, line) in lines.enumerated() {
      if isShown[index] {
        text += line.withPlace + "\n"
      } else if isShown[index - 1] {
        text += "       …\n"
      }
    }
    return String(text.dropLast())
  }

  /// Attaches the table and its diagram to the running test.
  func attach(at place: SourceLocation) {
    Attachment.record(text, named: "schedule.txt", sourceLocation: place)
    Attachment.record(diagram, named: "schedule.mmd", sourceLocation: place)
  }

  /// Successive steps that one line shows.
  private struct Row {
    let steps: ClosedRange<Int>
    let isSwitch: Bool

    var number: String {
      steps.count == 1
        ? "\(steps.lowerBound + 1)" : "\(steps.lowerBound + 1)–\(steps.upperBound + 1)"
    }
  }

  private var rows: [Row] {
    var rows: [Row] = []
    var index = 0
    while index < trace.steps.count {
      let first = index
      // Merge steps that continue without notes into one line.
      while index + 1 < trace.steps.count, trace.steps[index].notes.isEmpty,
        trace.steps[index + 1].continues(trace.steps[first])
      {
        index += 1
      }
      rows.append(Row(steps: first...index, isSwitch: isSwitch(first)))
      index += 1
    }
    return rows
  }

  private var lines: [Line] {
    var lines: [Line] = []
    for row in rows {
      lines.append(line(of: row))
      for note in trace.steps[row.steps.upperBound].notes {
        lines.append(Line(text: "         · \(note.text)", isSwitch: false))
      }
    }
    return lines
  }

  /// Whether a call fails, or a task begins to run ahead at a step, and didn't already at the one before.
  private func isSwitch(_ index: Int) -> Bool {
    let step = trace.steps[index]
    if case .failure = step.cause { return true }
    if step.passed.isEmpty { return false }
    if index == 0 { return true }
    let before = trace.steps[index - 1]
    return before.task != step.task || before.passed.isEmpty
  }

  /// The number of steps at which a call fails, or a task begins to run ahead.
  var switchCount: Int { trace.steps.indices.count(where: isSwitch) }

  private func line(of row: Row) -> Line {
    let step = trace.steps[row.steps.lowerBound]
    let padding = String(repeating: " ", count: max(0, 7 - row.number.count))
    var text = "\(row.isSwitch ? "▸" : " ")\(padding)\(row.number)  \(trace.title(of: step))"
    if case .failure = step.cause { text += ":" }
    text += " " + trace.text(of: step.cause)
    var stack = step.stack
    if case .start = step.cause, let origin = trace.origin(of: step.task) {
      text += ": \(origin)"
      stack = nil
    }
    if !step.passed.isEmpty {
      var passed: [String] = []
      let hasOthers = step.passedCount > step.passed.count
      for title in step.passed.dropLast(hasOthers ? 1 : 0).map(trace.title)
      where !passed.contains(title) {
        passed.append(title)
      }
      let others = step.passedCount - step.passed.count + 1
      text += ", before \(passed.joined(separator: ", "))"
      if hasOthers { text += " and \(others.grouped) others" }
    }
    return Line(text: text, isSwitch: row.isSwitch, stack: stack)
  }

  /// The number of rows in a diagram.
  private static let diagramLimit = 200

  /// The first rows as a sequence diagram of Mermaid, with a lane for each task, and one for the actors.
  var diagram: String {
    let rows = rows
    var (arrows, hasActors, shown) = ([String](), false, [true])
    func lane(_ task: UInt64) -> String {
      guard let number = trace.number(of: task) else {
        hasActors = true
        return "A"
      }
      while shown.count <= number { shown.append(false) }
      shown[number] = true
      return "T\(number)"
    }
    for row in rows.prefix(Self.diagramLimit) {
      let step = trace.steps[row.steps.lowerBound]
      let (to, text) = (lane(step.task), text(of: row, in: step))
      switch step.cause {
      case .start(let task) where task != 0, .resumed(let task):
        arrows.append("  " + lane(task) + "->>" + to + text)
      case .enters, .entersMainActor:
        hasActors = true
        arrows.append("  " + to + "->>A" + text)
      default: arrows.append("  Note over " + to + text)
      }
    }
    if rows.count > Self.diagramLimit { arrows.append("  Note over T0: …") }
    var text = "sequenceDiagram\n"
    for (number, task) in trace.tasks.enumerated() where number < shown.count && shown[number] {
      text += "  participant T\(number) as \(Self.escaped(trace.title(of: task)))\n"
    }
    if hasActors { text += "  participant A as actors\n" }
    return text + arrows.joined(separator: "\n") + "\n"
  }

  private func text(of row: Row, in step: ScheduleTrace.Step) -> String {
    let what =
      switch step.cause {
      case .start: "starts" + (trace.origin(of: step.task).map { ": " + $0 } ?? "")
      case .resumed: "continues"
      default: trace.text(of: step.cause)
      }
    return ": " + (row.isSwitch ? "▸ " : "") + row.number + " " + Self.escaped(what)
  }

  /// The text without what Mermaid reads as the end of a line or the beginning of an entity.
  private static func escaped(_ text: String) -> String {
    String(text.map { $0 == ";" || $0 == "#" || $0.isNewline ? " " : $0 })
  }

  /// The tasks, and when each last ran.
  func waiting(_ sleepers: [SleepingTask] = []) -> String {
    var last: [UInt64: Int] = [:]
    for (index, step) in trace.steps.enumerated() { last[step.task] = index }
    return trace.tasks.prefix(40).enumerated().map { number, task in
      let title = number == 0 ? "The test" : trace.title(of: task)
      let origin = origin(of: task)
      let step = last[task].map { "since step \($0 + 1)" } ?? "and has never run"
      let state =
        if let sleeper = sleepers.first(where: { $0.id == task }) {
          "sleeps on a test clock, until \(sleeper.deadline),"
        } else {
          number == 0 ? "waits" : "has ended, or waits"
        }
      return "  \(title)\(origin) \(state) \(step)."
    }.joined(separator: "\n")
  }

  /// The tasks that don't end, and what they do.
  func running(_ ready: [UInt64], _ sleepers: [SleepingTask]) -> String {
    let ready = ready.map { ($0, "keeps running") }
    let asleep = sleepers.map { ($0.id, "sleeps on its clock until \($0.deadline)") }
    return (ready + asleep).prefix(6).map { task, state in
      let title = trace.number(of: task) == 0 ? "The test" : trace.title(of: task)
      let last = trace.steps.last { $0.task == task && $0.stack != nil && $0.isAtOwnPlace }
      return "  \(title)\(origin(of: task)) \(state)\(last?.stack?.text ?? "")."
    }.joined(separator: "\n")
  }

  /// Where a task comes from, if that is known.
  private func origin(of task: UInt64) -> String {
    if let origin = trace.origin(of: task) { return ", \(origin)," }
    let start = trace.steps.first { $0.task == task }
    // The report of a test stands at the place that created the test.
    guard case .start = start?.cause, trace.number(of: task) != 0,
      let place = start?.stack?.caller
    else { return "" }
    return ", created at \(place),"
  }

  /// The first steps at which a task left the executor, or arrived from outside.
  var stepsOutside: [String] {
    var steps: [String] = []
    for (index, step) in trace.steps.enumerated() where steps.count < 10 {
      let title = "step \(index + 1): \(trace.title(of: step.task)) "
      if step.cause == .outside { steps.append(title + trace.text(of: .outside)) }
      for note in step.notes where note.isDeparture { steps.append(title + note.text) }
    }
    return steps
  }
}
