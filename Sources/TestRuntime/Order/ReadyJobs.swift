/// The ready jobs of a test, and what runs next: the choices of its schedule.
///
/// What runs is a ``RunningStep``, what can run is in ``ReadyEntries``, and who waits is in ``Waits``.
/// Use it under the lock of its order.
package struct ReadyJobs {
  typealias Entry = ReadyEntries.Entry

  enum Phase {
    /// The test isn't explored: nothing is chosen, and time is real.
    case plain
    case running
    /// The body has ended. Other ready jobs run for a number of steps, but no time passes.
    case ended
    /// Nothing can run, so the test was cancelled. Jobs that become ready now run, but sleeps last
    /// until the run is over.
    case stopping
    /// What is left runs on other threads.
    case over
  }

  var phase: Phase
  var entries = ReadyEntries()
  /// The jobs that hold their threads, so that others go on beside them.
  var away = AwayJobs()
  var running = RunningStep()
  /// Whether a thread runs what is next.
  private(set) var isRunning = false
  /// Who waits, and the time.
  var waits = Waits()
  /// The number of steps that may still run after the body has ended, or was cancelled.
  var restSteps = 0

  /// The last task that suspended where that was captured, and where it did.
  private(set) var lastTask: (task: UInt64, stack: SourceStack?) = (0, nil)
  /// The effect of the last job that belonged to one.
  // Weak, because it leads back to this order, and to what a user must not free under the lock.
  weak private(set) var lastEffect: EffectExecutor?
  /// The record of what ran when; `nil` if nothing is recorded.
  var trace: ScheduleTrace?
  // Not `trace != nil`, for which a debug build would copy the trace at each visit.
  private let isTracing: Bool
  var findings = RunFindings()
  /// The choices of a schedule, and the number of steps of any order.
  private(set) var record = ChoiceRecord()

  // Only a schedule needs what follows. In the plain order, nothing is chosen, and tasks have no numbers.

  private var strategy: any Strategy
  private var numbers: [UInt64: Int] = [:]
  /// In the plain order, this only numbers the actors for a record.
  var boundaries = Boundaries()
  /// Whether the runtime shows enough of the tasks that overtake each other.
  let mayOvertake: Bool
  /// The places in which nobody is overtaken, because a lock is held there.
  let locks: Set<Int>
  /// Stands for all places, where no stack is known.
  package static let everywhere = 0
  /// The number of overtaken jobs; in the plain order, of those that were polling.
  var overtakenCount = 0
  /// How the body has ended, if it has.
  var ending: ScheduleEnding?
  /// How the schedule has ended when nothing runs any more; `nil` if nothing can run.
  private(set) var pause: ScheduleEnding?

  /// How often a task goes on while others are ready, because it may be polling.
  private static let pollingLimit = 100

  init(
    strategy: (any Strategy)?, isTraced: Bool, locks: Set<Int>, mayOvertake: Bool
  ) {
    phase = strategy == nil ? .plain : .running
    self.strategy = strategy ?? .given(.plain)
    (self.locks, self.mayOvertake) = (locks, mayOvertake)
    (isTracing, trace) = (isTraced, isTraced ? ScheduleTrace() : nil)
  }

  /// Takes a job that has become ready.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - isOutside: Whether no job of the order has made it ready.
  ///   - stack: Where the running task is, if that is captured.
  mutating func take(_ job: TestJob, isOutside: Bool, at stack: SourceStack? = nil) {
    let (kind, current) = (job.kind, job.origin)
    if !isOutside, !job.isTurnEnd { noteRunning(current) }
    let task: UInt64 =
      switch kind {
      case .task: job.task
      case .yield: current
      case .other: 0
      case .actor: isOutside || job.isNextTurn || current != 0 ? 0 : running.task
      }
    let actor = job.actor.flatMap { visit($0, by: job.isNextTurn ? 0 : task, job: true) }
    let cause =
      trace?.cause(
        of: job, task, running: running.task, on: actor, from: running.actor, isOutside: isOutside)
      ?? .itself
    let entry = Entry(
      work: .job(job), task: task, number: number(of: task),
      cause: cause, actor: actor, stack: stack)
    if stack != nil, kind == .yield || current == task { lastTask = (task, stack) }
    if isOutside {
      entries.appendOutside(entry, atStep: record.steps)
      if hasChoices { findings.arrivals += 1 }
      return
    }
    if kind == .yield { running.noteYield(of: task, &boundaries) }
    if running.isImmediate(task), kind == .yield || current == 0 {
      // It has started immediately, and lets go of the thread, on which its creator goes on.
      add(entry)
      running.hasMadeReady = true
      if let actor { boundaries.visit(actor, after: running.boundaries) }
      running.endImmediate()
    } else if kind != .yield, current == 0, task != 0, task == running.task {
      goOn(entry, as: kind)
    } else {
      add(entry)
      running.hasMadeReady = kind != .yield && current != 0 && !job.isTurnEnd
    }
  }

  /// Lets the running task, which has let go of its thread, go on elsewhere.
  private mutating func goOn(_ entry: consuming Entry, as kind: JobKind) {
    let (task, actor) = (entry.task, entry.actor)
    // It may never be seen to leave that actor: the main actor shows no turns.
    if let actor { boundaries.visit(actor, after: running.boundaries) }
    if actor != nil || !running.isResumption { boundaries.endYield(of: task, on: actor) }
    // The queue of a default actor isn't seen, so whether its turn comes now is a choice, too.
    let isBoundary =
      kind == .actor || running.actor != nil && actor == nil && !running.isResumption
    entry.boundaries = running.boundaries
    addNext()
    running.next = (entry, isBoundary ? .goesOnAtBoundary : .goesOn)
  }

  /// Ends the step of the job's first task, if another one runs now.
  ///
  /// - Parameter task: The task that runs; 0 if it isn't known.
  private mutating func noteRunning(_ task: UInt64) {
    if task != 0, running.noteRunning(task, &boundaries) { addNext() }
  }

  /// Notices that a task starts immediately, on its creator's thread and in its step.
  mutating func beginImmediate(_ task: UInt64) {
    if task == running.task { return }
    running.beginImmediate(task)
    trace?.begin(task)
  }

  /// Makes what would run after the job a ready entry like the others.
  mutating func addNext() {
    if running.next != nil, let next = running.next.take() { add(next.entry) }
  }

  mutating func add(_ entry: Entry) {
    entries.append(entry, priority: strategy.priority(of: entry.number))
  }

  /// Whether a task is one of the test's.
  func knows(_ task: UInt64) -> Bool { numbers[task] ?? trace?.number(of: task) != nil }

  /// Whether a task that runs on the running job's actor is another test's.
  func isForeign(_ task: UInt64) -> Bool { hasChoices && !knows(task) }

  /// Remembers a task of the test, which an actor may run without a job of the task's own.
  mutating func meet(_ task: UInt64) { _ = number(of: task) }

  /// Notices that the running task visits an actor, which it is about to leave.
  mutating func didVisit(_ actor: UInt, by task: UInt64) {
    noteRunning(task)
    if let actor = visit(actor, by: running.task) {
      boundaries.visit(actor, after: running.boundaries)
    }
  }

  /// Records that a task visits an actor.
  ///
  /// - Returns: The index of the actor; `nil` if nobody wants to know.
  private mutating func visit(_ actor: UInt, by task: UInt64, job: Bool = false) -> Int? {
    if phase == .plain, !isTracing { return nil }
    return boundaries.visit(actor, by: task, job: job)
  }

  /// Notices that a task runs on the running job's actor.
  mutating func begin(_ task: UInt64, on actor: UInt) -> OvertakenJob? {
    let isNext = running.begin(task, &boundaries)
    if isNext { addNext() }
    trace?.begin(task)
    let index = visit(actor, by: task, job: true)
    let isOwn = index.map { boundaries.isOwn($0, of: task) } ?? false
    return isNext && !isOwn ? overtake(on: actor, leaves: true) : nil
  }

  /// Whether the running task, which could go on, has done so too often while others were ready.
  mutating func isPolling() -> Bool {
    if entries.areNone { return false }
    running.passed += 1
    if running.passed <= Self.pollingLimit { return false }
    if entries.isEmpty { addOutside() }
    return true
  }

  /// Records that the running job lets something run outside.
  mutating func noteDeparture(_ text: String) {
    guard mayChoose else { return }
    findings.departures += 1
    if hasChoices { trace?.note(text, isDeparture: true) }
  }

  mutating func number(of task: UInt64) -> Int {
    if phase == .plain { return 0 }
    if let number = numbers[task] { return number }
    numbers[task] = numbers.count
    waits.jobsUntilProgress = waits.jobs
    return numbers.count - 1
  }

  /// Lets a task that waits at a choice point, or has slept, take part in the next choice.
  mutating func add(
    _ waitingTask: WaitingTask, of task: UInt64, _ cause: ScheduleTrace.Cause,
    at stack: SourceStack?
  ) {
    add(
      Entry(
        work: .waitingTask(waitingTask), task: task, number: number(of: task), cause: cause,
        stack: stack))
  }

  /// Chooses what a call of the running task does.
  ///
  /// - Parameter width: The number of errors that it may throw, and one more.
  /// - Returns: The number of the error that it throws; 0 if it succeeds.
  mutating func chooseOutcome(of width: Int) -> Int {
    guard hasChoices else { return 0 }
    let outcome = strategy.outcome(of: width)
    record.didCall(throwing: outcome, of: width)
    return outcome
  }

  /// The record of the choices, which knows those that nobody noticed.
  var recordOfNoticedChoices: ChoiceRecord {
    var record = record
    for choice in boundaries.unnoticed { record.choices[choice].isNoticed = false }
    return record
  }

  /// Whether the schedule chooses what runs next.
  var hasChoices: Bool { phase == .running || phase == .ended }

  /// Whether a task may let others run at a choice point.
  var mayChoose: Bool { phase == .plain || hasChoices }

  /// Makes jobs from outside ready like the others, if it's their turn.
  mutating func addOutside() {
    for entry in entries.takeOutside(atStep: record.steps) { add(entry) }
  }

  /// Begins to run what is next, if something may run now and no thread runs it.
  mutating func claimThread() -> Bool {
    let isFree = phase == .over || phase == .plain
    let isAwaited = phase == .plain && !waits.idle.isEmpty && !away.areAwaited
    let mayRun = isFree ? !entries.areNone || isAwaited : waits.pausing != nil
    if isRunning || !mayRun { return false }
    isRunning = true
    return true
  }

  /// Chooses what runs next.
  mutating func next() -> TestStep? {
    running.hasMadeReady = false
    let step = step()
    isRunning = step != nil
    return step
  }

  private mutating func step() -> TestStep? {
    if let step = suspectedJob() { return step }
    if let wait = waits.takeHopeless(canRun: !entries.isEmpty) {
      return .call { wait.finish(.timedOut) }
    }
    switch phase {
    case .plain: return choose()
    case .running:
      if !waits.isEndless || away.areAwaited { return choose() }
      pause = .restless
      return nil
    case .ended:
      if restSteps > 0 {
        restSteps -= 1
        if let step = choose() { return step }
      } else if !entries.isEmpty || running.next != nil {
        noteDeparture("still runs \(Waits.restLimit.grouped) steps after the test's body has ended")
      }
      pause = ending
      return nil
    case .stopping, .over: return takeRest()
    }
  }

  private mutating func choose() -> TestStep? {
    if let next = running.next.take() {
      if next.why == .overtakes { return run(next.entry) }
      if entries.isHeld(next.entry.place) || isPolling() {
        add(next.entry)
      } else if next.why == .goesOnAtBoundary, !entries.isEmpty {
        var entry = next.entry
        if hasChoices {
          let entered = entry.actor
          let boundary = boundaries.add(
            choice: record.choices.count, on: entered == nil ? running.actor : nil,
            leaves: entered == nil)
          if let entered { boundaries.visit(entered, after: [boundary]) }
          entry.boundaries.append(boundary)
        }
        add(entry)
        return run(choose(insteadOf: entries.count - 1))
      } else {
        return run(next.entry)
      }
    } else {
      running.end(&boundaries)
    }
    addOutside()
    while entries.isEmpty {
      if phase == .ended { return nil }
      if !away.areAwaited, !waits.idle.isEmpty {
        running = RunningStep()
        // One at a time: the first may add jobs, and the next must wait for these, too.
        return .call { [wait = waits.idle.removeFirst().wait] in wait.finish(.fulfilled) }
      }
      let onlyTimePasses = !away.areAwaited && waits.bodyHasStopped
      guard !away.areAwaited, !onlyTimePasses, wakeSleepers() else {
        pause = onlyTimePasses ? .restless : nil
        return nil
      }
    }
    waits.mostReady = max(waits.mostReady, entries.count)
    return run(choose(insteadOf: 0))
  }

  /// Removes what runs next.
  ///
  /// - Parameters:
  ///   - plain: The index of what runs next in the plain order.
  ///   - isForced: Whether that is what runs next in each order.
  mutating func choose(insteadOf plain: Int, isForced: Bool = false) -> Entry {
    let width = entries.count
    var index =
      hasChoices && width > 1 ? strategy.choose(among: &entries.ready, plain: plain) : plain
    if isForced, index != plain { (index, findings.hasRefused) = (plain, true) }
    // The plain one comes first, and then the others, the oldest first.
    let pick = index == plain ? 0 : index < plain ? index + 1 : index
    var passed: [UInt64] = []
    if isTracing, pick > 0 {
      passed.append(entries[plain].task)
      for other in 0..<index where other != plain && passed.count < ScheduleTrace.mostPassed {
        passed.append(entries[other].task)
      }
    }
    let entry = entries.remove(at: index)
    // A job that isn't overtaken goes on in its step.
    let goesOn = pick == 0 && plain > 0
    record.didChoose(pick, of: hasChoices ? width : 1, goesOn: goesOn)
    if isForced, width > 1, hasChoices {
      record.choices[record.choices.count - 1].isNoticed = false
    }
    if !goesOn || entry.cause != .overtaken {
      trace?.append(entry, passed: passed, index: pick, of: width)
    }
    return entry
  }

  mutating func run(_ entry: Entry) -> TestStep {
    waits.noteJob(ofBody: entry.number == 0)
    running = RunningStep(
      entry, job: waits.jobs, passed: entry.task == running.task ? running.passed : 0)
    switch entry.work {
    case .job(let job):
      if let effect = job.effect { lastEffect = effect }
      return .run(job)
    case .waitingTask(let waitingTask): return .call { waitingTask.resume(returning: true) }
    case .overtaken(let job):
      running = job.step
      running.passed = 0
      overtakenCount -= 1
      for entry in entries.release(running.place) { add(entry) }
      return .resume(job)
    }
  }
}
