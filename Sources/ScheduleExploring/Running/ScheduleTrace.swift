internal import TestClocks

/// A record of what ran when in a schedule.
struct ScheduleTrace: Sendable, Equatable {
  /// Why a job was ready.
  enum Cause: Sendable, Equatable {
    case start(by: UInt64)
    /// The task yielded, or changed its actor.
    case itself
    case resumed(by: UInt64)
    /// A task enters or leaves an actor.
    case actor
    case outside
    case deadline(Duration)
    /// A choice point; its label is in ``labels``.
    case choice(Int)
  }

  struct Step: Sendable, Equatable {
    let task: UInt64
    let cause: Cause
    /// The tasks that had been ready for longer than the one that ran.
    let passed: [UInt64]
    var notes: [Note] = []
  }

  struct Note: Sendable, Equatable {
    let text: String
    /// Whether the step lets something run outside the executor.
    let isDeparture: Bool
  }

  private(set) var steps: [Step] = []
  private(set) var labels: [String] = []
  /// The tasks in the order of their first steps.
  private(set) var tasks: [UInt64] = []
  /// The names that the test gave to tasks.
  private var names: [UInt64: String] = [:]
  /// The origins of tasks, if known.
  private var origins: [UInt64: String] = [:]
  private var announced: [String] = []
  private var numbers: [UInt64: Int] = [:]

  /// The maximum number of recorded steps.
  private static let limit = 20_000

  mutating func cause(
    of task: UInt64, kind: JobKind, running: UInt64, isOutside: Bool
  ) -> Cause {
    let isNew = task != 0 && numbers[task] == nil
    if isNew {
      numbers[task] = tasks.count
      tasks.append(task)
      if tasks.count > 1, !announced.isEmpty { origins[task] = announced.removeFirst() }
    }
    if isOutside { return .outside }
    if kind == .actor { return .actor }
    if isNew { return .start(by: running) }
    return task == running || running == 0 ? .itself : .resumed(by: running)
  }

  mutating func choice(_ label: String) -> Cause {
    labels.append(label)
    return .choice(labels.count - 1)
  }

  mutating func append(_ ready: [ReadyJobs.Entry], index: Int) {
    guard steps.count < Self.limit else { return }
    steps.append(
      Step(
        task: ready[index].task, cause: ready[index].cause,
        passed: ready[..<index].map(\.task)))
  }

  mutating func name(_ task: UInt64, _ name: String) {
    if names[task] == nil { names[task] = name }
  }

  mutating func note(_ text: String, isDeparture: Bool = false) {
    guard let last = steps.indices.last else { return }
    steps[last].notes.append(Note(text: text, isDeparture: isDeparture))
  }

  mutating func announce(_ text: String) {
    announced.append(text)
  }
}

extension ScheduleTrace {
  func title(of task: UInt64) -> String {
    guard let number = numbers[task] else { return "an actor" }
    let name = names[task].map { " “\($0)”" } ?? ""
    return number == 0 ? "test" : "task \(number)\(name)"
  }

  /// Returns the origin of a task, if known.
  func origin(of task: UInt64) -> String? { origins[task] }

  func text(of cause: Cause) -> String {
    switch cause {
    case .start(let task): task == 0 ? "starts" : "starts, from \(title(of: task))"
    case .itself: "continues"
    case .resumed(let task): "continues, resumed by \(title(of: task))"
    case .actor: "enters an actor"
    case .outside: "comes from outside the executor"
    case .deadline(let deadline): "wakes at \(deadline)"
    case .choice(let index): labels[index]
    }
  }
}

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
      while index + 1 < trace.steps.count, trace.steps[index].notes.isEmpty,
        isPlain(trace.steps[index + 1], step)
      {
        index += 1
      }
      lines.append(line(of: step, from: first, through: index))
      lines += trace.steps[index].notes.map {
        Line(text: "         · \($0.text)", isSwitch: false)
      }
      index += 1
    }
    return lines
  }

  /// Whether a step only continues what the previous one began.
  private func isPlain(_ step: ScheduleTrace.Step, _ before: ScheduleTrace.Step) -> Bool {
    guard step.task == before.task, step.passed == before.passed else { return false }
    return step.cause == .itself || step.cause == .actor
  }

  /// Whether a task begins to run ahead at a step, as ``ChoiceRecord/leads`` counts it.
  private func isSwitch(_ index: Int) -> Bool {
    let step = trace.steps[index]
    if step.passed.isEmpty { return false }
    if index == 0 { return true }
    let before = trace.steps[index - 1]
    return before.task != step.task || before.passed.isEmpty
  }

  private func line(of step: ScheduleTrace.Step, from first: Int, through last: Int) -> Line {
    let number = first == last ? "\(first + 1)" : "\(first + 1)–\(last + 1)"
    let padding = String(repeating: " ", count: max(0, 7 - number.count))
    let isSwitch = isSwitch(first)
    var text = "\(isSwitch ? "▸" : " ")\(padding)\(number)  \(trace.title(of: step.task)) "
    text += trace.text(of: step.cause)
    if case .start = step.cause, let origin = trace.origin(of: step.task) { text += ": \(origin)" }
    if !step.passed.isEmpty {
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
      let departures = step.notes.filter(\.isDeparture).map(\.text)
      return ((step.cause == .outside ? [trace.text(of: .outside)] : []) + departures).map {
        "step \(index + 1): \(trace.title(of: step.task)) \($0)"
      }
    }
    return Array(steps.prefix(10))
  }
}
