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
    var notes: [String] = []
    /// What the step lets run outside the executor.
    var departures: [String] = []
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

  mutating func note(_ text: String) {
    guard let last = steps.indices.last else { return }
    steps[last].notes.append(text)
  }

  mutating func noteDeparture(_ text: String) {
    guard let last = steps.indices.last else { return }
    steps[last].departures.append(text)
  }

  mutating func announce(_ text: String) {
    announced.append(text)
  }
}

extension ScheduleTrace {
  /// Returns the number of a task, in the order of first steps; 0 is the test itself.
  func number(of task: UInt64) -> Int? { numbers[task] }

  /// Equal for runs in which tasks with the same numbers did the same.
  var shape: [String] {
    steps.map { step in
      "\(number(of: step.task) ?? -1) \(text(of: step.cause)) \(step.passed.count)"
    }
  }

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
