internal import TestRuntime

/// A record of what ran when in a schedule.
struct ScheduleTrace: Sendable {
  /// Why a job was ready.
  enum Cause: Sendable, Equatable {
    case start(by: UInt64)
    case itself
    /// The task has yielded.
    case yielded
    case resumed(by: UInt64)
    /// The task enters an actor.
    case enters(Int)
    /// The task has left an actor.
    case left(Int)
    case entersMainActor
    /// An actor that has been running another task.
    case nextTurn(of: Int)
    /// The rest of a job that others have overtaken.
    case overtaken
    case outside
    case deadline(Duration)
    /// A choice point; its label is in ``labels``.
    case choice(Int)
    /// A call that fails, and what it throws.
    case failure(String)
  }

  /// A job, and those after it that continued it without a choice.
  struct Step: Sendable {
    let task: UInt64
    let cause: Cause
    /// The first tasks of those that had been ready for longer than the one that ran.
    let passed: [UInt64]
    /// The number of all of these.
    let passedCount: Int
    var notes: [Note] = []

    /// Whether the step only continues what another one began.
    func continues(_ other: Step) -> Bool {
      switch cause {
      case .itself, .yielded, .enters, .left, .entersMainActor:
        task == other.task && passed == other.passed && passedCount == other.passedCount
      default: false
      }
    }
  }

  struct Note: Sendable {
    let text: String
    /// Whether the step lets something run outside the executor.
    let isDeparture: Bool
  }

  private(set) var steps: [Step] = []
  private(set) var labels: [String] = []
  /// The tasks in the order of their first steps.
  private(set) var tasks: [UInt64] = []
  /// The names that the test gave to tasks, by their numbers; empty if it gave none.
  private var names: [String] = []
  /// The origins of tasks by their numbers; empty if unknown.
  private var origins: [String] = []
  private var announced: [String] = []
  /// The names of actors by their indices.
  private var actors: [Int: String] = [:]
  private var numbers: [UInt64: Int] = [:]
  /// The tasks whose last job is the main actor's.
  private var onMainActor: Set<UInt64> = []

  /// The maximum number of tasks that a line names as passed.
  static let mostPassed = 6
  /// The maximum number of recorded steps.
  private static let limit = 20_000

  /// Why a job of a task is ready.
  ///
  /// - Parameters:
  ///   - running: The task that runs.
  ///   - actor: The index of the actor on which the job runs.
  ///   - left: The index of the actor on which the running task has been.
  mutating func cause(
    of job: TestJob, _ task: UInt64, running: UInt64, on actor: Int?, from left: Int?,
    isOutside: Bool
  ) -> Cause {
    if let actor { meet(actor, of: job) }
    if let actor, job.isNextTurn { return .nextTurn(of: actor) }
    let isNew = meet(task)
    if !job.isOnMainActor { onMainActor.remove(task) }
    let entersMainActor = job.isOnMainActor && onMainActor.insert(task).inserted
    if isOutside { return .outside }
    if let actor, job.kind == .actor { return .enters(actor) }
    if isNew { return .start(by: running) }
    if entersMainActor { return .entersMainActor }
    guard task == running || running == 0 else { return .resumed(by: running) }
    if job.kind == .yield { return .yielded }
    if let left, left != actor, actors[left] != nil { return .left(left) }
    return .itself
  }

  /// Records that a task runs on a default actor without a job of its own.
  mutating func begin(_ task: UInt64) {
    _ = meet(task)
    onMainActor.remove(task)
  }

  /// Takes the number of a task, unless it has one.
  ///
  /// - Returns: Whether the task is new.
  private mutating func meet(_ task: UInt64) -> Bool {
    let isNew = task != 0 && numbers[task] == nil
    if isNew {
      numbers[task] = tasks.count
      tasks.append(task)
      names.append("")
      origins.append(tasks.count > 1 && !announced.isEmpty ? announced.removeFirst() : "")
    }
    return isNew
  }

  /// Names an actor after its type.
  private mutating func meet(_ actor: Int, of job: TestJob) {
    guard actors[actor] == nil, let object = job.actorObject else { return }
    actors[actor] = "\(type(of: object))".shortened(to: 40)
  }

  mutating func choice(_ label: String) -> Cause {
    labels.append(label)
    return .choice(labels.count - 1)
  }

  /// - Parameters:
  ///   - passed: The first tasks of those that were ready for longer.
  ///   - index: The number of all of these.
  ///   - width: The number of tasks to choose from.
  mutating func append(_ entry: ReadyJobs.Entry, passed: [UInt64], index: Int, of width: Int) {
    let step = Step(task: entry.task, cause: entry.cause, passed: passed, passedCount: index)
    if steps.count == Self.limit { return }
    if width == 1, let last = steps.last, last.notes.isEmpty, step.continues(last) { return }
    steps.append(step)
  }

  /// Records that a call of the running task fails.
  mutating func fail(_ task: UInt64, _ label: String) {
    if steps.count == Self.limit { return }
    steps.append(Step(task: task, cause: .failure(label), passed: [], passedCount: 0))
  }

  mutating func name(_ task: UInt64, _ name: String) {
    if let number = numbers[task], names[number].isEmpty { names[number] = name }
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
    let name = names[number].isEmpty ? "" : " “\(names[number])”"
    return number == 0 ? "test" : "task \(number)\(name)"
  }

  /// The name of an actor, with a number if several have that name.
  private func name(of actor: Int) -> String {
    guard let name = actors[actor] else { return "an actor" }
    let namesakes = actors.filter { $0.value == name }.keys.sorted()
    return namesakes.count == 1 ? name : "\(name)#\(namesakes.firstIndex(of: actor)! + 1)"
  }

  /// Who takes a step: a task, or an actor.
  func title(of step: Step) -> String {
    if case .nextTurn(let actor) = step.cause { name(of: actor) } else { title(of: step.task) }
  }

  /// Returns the origin of a task, if known.
  func origin(of task: UInt64) -> String? {
    guard let number = numbers[task], !origins[number].isEmpty else { return nil }
    return origins[number]
  }

  func number(of task: UInt64) -> Int? { numbers[task] }

  func text(of cause: Cause) -> String {
    switch cause {
    case .start(let task): task == 0 ? "starts" : "starts, from \(title(of: task))"
    case .itself: "continues"
    case .yielded: "continues after a yield"
    case .resumed(let task): "continues, resumed by \(title(of: task))"
    case .enters(let actor): "enters \(name(of: actor))"
    case .left(let actor): "continues after \(name(of: actor))"
    case .entersMainActor: "enters the main actor"
    case .nextTurn: "runs its next task"
    case .overtaken: "goes on"
    case .outside: "comes from outside the executor"
    case .deadline(let deadline): "wakes at \(deadline)"
    case .choice(let index): labels[index]
    case .failure(let label): label
    }
  }
}

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
  }

  var text: String {
    let lines = lines
    guard lines.count > Self.limit else { return lines.map(\.text).joined(separator: "\n") }
    var isShown = lines.indices.map { $0 < 6 || $0 >= lines.count - 14 }
    var switchesLeft = Self.switchLimit
    for (index, line) in lines.enumerated() where line.isSwitch && switchesLeft > 0 {
      switchesLeft -= 1
      for near in max(index - 5, 0)...min(index + 5, lines.count - 1) { isShown[near] = true }
    }
    var text = ""
    for (index, line) in lines.enumerated() {
      if isShown[index] {
        text += line.text + "\n"
      } else if isShown[index - 1] {
        text += "       …\n"
      }
    }
    return String(text.dropLast())
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
    if case .start = step.cause, let origin = trace.origin(of: step.task) { text += ": \(origin)" }
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
    return Line(text: text, isSwitch: row.isSwitch)
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
  ///
  /// - Parameter sleepers: The tasks that sleep on a test's clock.
  func waiting(_ sleepers: [SleepingTask] = []) -> String {
    var last: [UInt64: Int] = [:]
    for (index, step) in trace.steps.enumerated() { last[step.task] = index }
    return trace.tasks.prefix(40).enumerated().map { number, task in
      let title = number == 0 ? "The test" : trace.title(of: task)
      let origin = trace.origin(of: task).map { ", \($0)," } ?? ""
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
