/// A readable table of a trace.
struct ScheduleTable {
  let trace: ScheduleTrace

  /// The number of lines above which only those around switches, at the start and at the end are
  /// shown.
  private static let limit = 60

  private struct Line {
    let text: String
    let isSwitch: Bool
  }

  var text: String {
    let lines = lines
    guard lines.count > Self.limit else { return lines.map(\.text).joined(separator: "\n") }
    let shown = lines.indices.filter { index in
      index < 6 || index >= lines.count - 14
        || lines[index - 5...index + 5].contains(where: \.isSwitch)
    }
    var (text, last) = ("", -1)
    for index in shown {
      if index > last + 1 { text += "       …\n" }
      text += lines[index].text + "\n"
      last = index
    }
    return String(text.dropLast())
  }

  private var lines: [Line] {
    var lines: [Line] = []
    var index = 0
    while index < trace.steps.count {
      let step = trace.steps[index]
      let first = index
      // Merge steps that continue without notes into one line.
      while index + 1 < trace.steps.count, isWithoutNotes(trace.steps[index]),
        isPlain(trace.steps[index + 1], step)
      {
        index += 1
      }
      lines.append(line(of: step, from: first, through: index))
      lines += (trace.steps[index].notes + trace.steps[index].departures).map {
        Line(text: "         · \($0)", isSwitch: false)
      }
      index += 1
    }
    return lines
  }

  private func isWithoutNotes(_ step: ScheduleTrace.Step) -> Bool {
    step.notes.isEmpty && step.departures.isEmpty
  }

  /// Whether a step only continues what the previous one began.
  private func isPlain(_ step: ScheduleTrace.Step, _ before: ScheduleTrace.Step) -> Bool {
    guard step.task == before.task, Set(step.passed) == Set(before.passed) else { return false }
    return step.cause == .itself || step.cause == .actor
  }

  /// The number of switches; several consecutive steps of a task that runs ahead are one switch.
  var switchCount: Int { lines.count { $0.isSwitch } }

  private func line(of step: ScheduleTrace.Step, from first: Int, through last: Int) -> Line {
    let number = first == last ? "\(first + 1)" : "\(first + 1)–\(last + 1)"
    let padding = String(repeating: " ", count: max(0, 7 - number.count))
    let isSwitch = !step.passed.isEmpty
    var text = "\(isSwitch ? "▸" : " ")\(padding)\(number)  \(trace.title(of: step.task)) "
    text += trace.text(of: step.cause)
    if case .start = step.cause, let origin = trace.origin(of: step.task) { text += ": \(origin)" }
    if isSwitch {
      var passed: [String] = []
      for title in step.passed.map(trace.title) where !passed.contains(title) {
        passed.append(title)
      }
      text += ", before \(passed.joined(separator: ", "))"
    }
    return Line(text: text, isSwitch: isSwitch)
  }

  /// The tasks, and when each last ran.
  var waiting: String {
    var last: [UInt64: Int] = [:]
    for (index, step) in trace.steps.enumerated() { last[step.task] = index }
    return trace.tasks.enumerated().map { number, task in
      let title = trace.title(of: task)
      let origin = trace.origin(of: task).map { ", \($0)," } ?? ""
      let step = last[task].map { "since step \($0 + 1)" } ?? "and has never run"
      return number == 0
        ? "  The test waits \(step)."
        : "  \(title)\(origin) has ended, or waits \(step)."
    }.joined(separator: "\n")
  }

  /// The steps at which a task left the executor, or arrived from outside.
  var stepsOutside: [String] {
    let steps = trace.steps.enumerated().flatMap { index, step in
      ((step.cause == .outside ? [trace.text(of: .outside)] : []) + step.departures).map {
        "step \(index + 1): \(trace.title(of: step.task)) \($0)"
      }
    }
    return Array(steps.prefix(10))
  }
}
