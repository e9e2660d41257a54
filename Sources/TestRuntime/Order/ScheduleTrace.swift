/// A record of what ran when in a schedule.
package struct ScheduleTrace: Sendable {
  /// Why a job was ready.
  package enum Cause: Sendable, Equatable {
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
    /// A choice point, and its label.
    case choice(String)
    /// A call that fails, and what it throws.
    case failure(String)
  }

  /// A job, and those after it that continued it without a choice.
  package struct Step: Sendable {
    package let task: UInt64
    package let cause: Cause
    /// The first tasks of those that had been ready for longer than the one that ran.
    package let passed: [UInt64]
    /// The number of all of these.
    package let passedCount: Int
    /// Where the task has suspended, or where it was created or resumed, if that was captured.
    package var stack: SourceStack?
    package var notes: [Note] = []

    /// Whether the place is the task's own, and not that of the one that created or resumed it.
    package var isAtOwnPlace: Bool {
      switch cause {
      case .start, .resumed: false
      default: true
      }
    }

    /// Whether the step only continues what another one began.
    package func continues(_ other: Step) -> Bool {
      switch cause {
      case .itself, .yielded, .enters, .left, .entersMainActor:
        task == other.task && passed == other.passed && passedCount == other.passedCount
      default: false
      }
    }
  }

  package struct Note: Sendable {
    package let text: String
    /// Whether the step lets something run outside the executor.
    package let isDeparture: Bool
  }

  private struct Title {
    /// The name that the test gave to the task.
    var name: String?
    let origin: String?
  }

  package private(set) var steps: [Step] = []
  /// The tasks in the order of their first steps.
  package private(set) var tasks: [UInt64] = []
  /// What is known of these, by their numbers.
  private var titles: [Title] = []
  /// The origins of the next tasks.
  private var announced: [String] = []
  /// The names of actors by their indices.
  private var actors: [Int: String] = [:]
  private var numbers: [UInt64: Int] = [:]
  /// The tasks whose last job is the main actor's.
  private var onMainActor: Set<UInt64> = []

  /// The maximum number of tasks that a line names as passed.
  package static let mostPassed = 6
  /// The maximum number of recorded steps.
  private static let limit = 20_000
  private var hasRoom: Bool { steps.count < Self.limit }

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
    if isOutside { return isNew && tasks.count == 1 ? .start(by: 0) : .outside }
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
      let isAnnounced = tasks.count > 1 && !announced.isEmpty
      titles.append(Title(origin: isAnnounced ? announced.removeFirst() : nil))
    }
    return isNew
  }

  /// Names an actor after its type.
  private mutating func meet(_ actor: Int, of job: TestJob) {
    guard actors[actor] == nil, let object = job.actorObject else { return }
    actors[actor] = "\(type(of: object))".shortened(to: 40)
  }

  /// - Parameter width: The number of tasks to choose from.
  mutating func append(
    _ entry: ReadyEntries.Entry, passed: [UInt64], index: Int, of width: Int
  ) {
    let step = Step(
      task: entry.task, cause: entry.cause, passed: passed, passedCount: index, stack: entry.stack)
    if width == 1, let last = steps.last, last.notes.isEmpty, step.continues(last) { return }
    if hasRoom { steps.append(step) }
  }

  /// Records that a call of the running task fails.
  mutating func fail(_ task: UInt64, _ label: String) {
    guard hasRoom else { return }
    steps.append(Step(task: task, cause: .failure(label), passed: [], passedCount: 0))
  }

  mutating func name(_ task: UInt64, _ name: String) {
    if let number = numbers[task], titles[number].name == nil { titles[number].name = name }
  }

  mutating func note(_ text: String, isDeparture: Bool = false) {
    guard hasRoom, let last = steps.indices.last else { return }
    steps[last].notes.append(Note(text: text, isDeparture: isDeparture))
  }

  mutating func announce(_ text: String) {
    announced.append(text)
  }
}

extension ScheduleTrace {
  package func title(of task: UInt64) -> String {
    guard let number = numbers[task] else { return "an actor" }
    let name = titles[number].name.map { " “\($0)”" } ?? ""
    return number == 0 ? "test" : "task \(number)\(name)"
  }

  /// The name of an actor, with a number if several have that name.
  private func name(of actor: Int) -> String {
    guard let name = actors[actor] else { return "an actor" }
    let namesakes = actors.filter { $0.value == name }.keys.sorted()
    return namesakes.count == 1 ? name : "\(name)#\(namesakes.firstIndex(of: actor)! + 1)"
  }

  /// Who takes a step: a task, or an actor.
  package func title(of step: Step) -> String {
    if case .nextTurn(let actor) = step.cause { name(of: actor) } else { title(of: step.task) }
  }

  /// Returns the origin of a task, if known.
  package func origin(of task: UInt64) -> String? { numbers[task].flatMap { titles[$0].origin } }

  package func number(of task: UInt64) -> Int? { numbers[task] }

  package func text(of cause: Cause) -> String {
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
    case .choice(let label), .failure(let label): label
    }
  }
}
