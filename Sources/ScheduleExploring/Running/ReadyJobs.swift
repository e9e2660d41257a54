internal import TestRuntime

/// The ready jobs of a schedule, its waiting tasks, and its choices.
///
/// Use it under the lock of its run.
struct ReadyJobs {
  enum Work {
    case job(TestJob)
    /// Resumes a task that has yielded.
    case yield(TestJob)
    /// A task that waits at a choice point, or sleeps until now.
    case waitingTask(WaitingTask)
  }

  struct Entry {
    let work: Work
    let task: UInt64
    /// The number of the task, in the order in which tasks arrived.
    let number: Int
    let cause: ScheduleTrace.Cause
  }

  /// Why nothing runs.
  enum Pause {
    /// The body of the test has ended.
    case ended
    /// Nothing can run, and no task sleeps.
    case idle
    /// Something keeps running.
    case restless
  }

  enum Phase {
    case running
    /// The body has ended. Other ready jobs run for a number of steps, but no time passes.
    case ended
    /// Nothing can run, so the test was cancelled. Jobs that become ready now run, but sleeps last
    /// until the run is over.
    case stopping
    /// The body hasn't ended, although it was cancelled. Nothing runs until the run is over.
    case resting
    /// What is left runs on other threads.
    case over
  }

  /// A task that sleeps.
  struct Sleep: Sendable {
    let task: UInt64
    let waitingTask: WaitingTask
  }

  var phase = Phase.running
  private(set) var pause = Pause.idle
  private(set) var ending: ScheduleEnding?
  /// Finishes when a job arrives; set while there is none.
  var arrival: Wait?

  private var entries = Arrivals<Entry>()
  /// Jobs that arrived from other threads.
  ///
  /// They wait until nothing else is ready, so that the moment of their arrival matters as little
  /// as possible.
  private var outside: [Entry] = []
  private var outsideSince = 0
  /// Waits until nothing can run.
  var idleWaits: [Wait] = []
  /// Waits for something that may never happen.
  var limitedWaits: [Wait] = []

  private(set) var now = Duration.zero
  var sleepers = Sleepers<Sleep>()

  private var strategy: any Strategy
  private(set) var record = ChoiceRecord()
  var trace: ScheduleTrace?
  /// The number of jobs that arrived from outside.
  private(set) var arrivalCount = 0
  /// How often a task let something run outside.
  private(set) var departureCount = 0
  private(set) var runningTask: UInt64 = 0
  private var numbers: [UInt64: Int] = [:]
  private var countBeforeResuming: Int?

  /// The number of steps that may still run after the body has ended, or was cancelled.
  private var restSteps = 0
  /// Whether a thread runs what is next.
  private(set) var isRunning = false
  /// Finishes when nothing can run; set while the exploring task waits for that.
  var pausing: Wait?

  /// The maximum number of steps after the end of the body.
  private static let restLimit = 1_000
  /// The maximum number of jobs in a run.
  static let stepLimit = 200_000
  /// The number of jobs after which jobs from outside run even if others are ready.
  private static let patience = 1_000

  init(strategy: any Strategy, isTraced: Bool) {
    self.strategy = strategy
    trace = isTraced ? ScheduleTrace() : nil
  }

  /// - Parameters:
  ///   - task: The task of the job, or the task that created it.
  ///   - kind: What the job is.
  mutating func take(_ job: TestJob, task: UInt64, kind: JobKind, isOutside: Bool) {
    let task = task == 0 && !isOutside && !job.isNextTurn ? runningTask : task
    let cause: ScheduleTrace.Cause =
      job.isNextTurn
      ? .nextTurn
      : trace?.cause(
        of: task, kind: kind, isOnMainActor: job.isOnMainActor, running: runningTask,
        isOutside: isOutside)
        ?? .itself
    let entry = Entry(
      work: kind == .yield ? .yield(job) : .job(job), task: task, number: number(of: task),
      cause: cause)
    guard isOutside else { return add(entry) }
    if outside.isEmpty { outsideSince = record.steps }
    outside.append(entry)
    if phase == .running || phase == .ended { arrivalCount += 1 }
  }

  private mutating func add(_ entry: Entry) {
    entries.append(entry, priority: strategy.priority(of: entry.number))
  }

  /// Records that the running job lets something run outside.
  mutating func noteDeparture(_ text: String) {
    guard phase == .running || phase == .ended else { return }
    departureCount += 1
    trace?.note(text, isDeparture: true)
  }

  mutating func number(of task: UInt64) -> Int {
    if let number = numbers[task] { return number }
    numbers[task] = numbers.count
    return numbers.count - 1
  }

  /// Lets a task that waits at a choice point take part in the next choice.
  mutating func addChoice(of task: UInt64, _ waitingTask: WaitingTask, label: String) {
    let cause = trace?.choice(label) ?? .itself
    add(Entry(work: .waitingTask(waitingTask), task: task, number: number(of: task), cause: cause))
  }

  /// Whether there is nothing to choose or to wake.
  var isIdle: Bool {
    entries.isEmpty && outside.isEmpty && idleWaits.isEmpty && sleepers.count == 0
  }

  private mutating func addOutside() {
    for entry in outside { add(entry) }
    outside = []
  }

  /// Begins to run what is next, if something may run now and no thread runs it.
  mutating func begin() -> Bool {
    let mayRun = phase == .over ? !entries.isEmpty || !outside.isEmpty : pausing != nil
    if isRunning || !mayRun { return false }
    isRunning = true
    return true
  }

  /// Chooses what runs next.
  mutating func next() -> TestStep? {
    let step = step()
    isRunning = step != nil
    return step
  }

  private mutating func step() -> TestStep? {
    switch phase {
    case .running: return choose()
    case .ended:
      if restSteps > 0 {
        restSteps -= 1
        if let step = choose() { return step }
      } else if !entries.isEmpty {
        noteDeparture("still runs \(Self.restLimit.grouped) steps after the test's body has ended")
      }
      pause = .ended
      return nil
    case .stopping, .resting, .over: return takeRest()
    }
  }

  private mutating func choose() -> TestStep? {
    if let count = countBeforeResuming {
      countBeforeResuming = nil
      // Don't choose the chosen task again.
      if entries.count == count + 1 { return run(entries.remove(at: count)) }
    }
    if !outside.isEmpty, entries.isEmpty || record.steps - outsideSince > Self.patience {
      addOutside()
    }
    while entries.isEmpty {
      if phase == .ended { return nil }
      if !idleWaits.isEmpty {
        runningTask = 0
        return .finish(idleWaits.removeFirst())
      }
      guard wakeSleepers() else {
        pause = .idle
        return nil
      }
    }
    if record.steps >= Self.stepLimit {
      pause = .restless
      return nil
    }
    let width = entries.count
    let index = width > 1 ? strategy.choose(among: &entries) : 0
    let passed = trace == nil ? 0 : min(index, ScheduleTrace.mostPassed)
    let passedTasks = (0..<passed).map { entries[$0].task }
    let entry = entries.remove(at: index)
    record.didChoose(entry.number, pick: index, of: width)
    trace?.append(entry, passed: passedTasks, index: index, of: width)
    return run(entry)
  }

  private mutating func run(_ entry: Entry) -> TestStep {
    runningTask = entry.task
    switch entry.work {
    case .job(let job):
      return .run(job)
    case .yield(let job):
      countBeforeResuming = entries.count
      return .run(job)
    case .waitingTask(let waitingTask):
      countBeforeResuming = entries.count
      return .call { waitingTask.resume(returning: true) }
    }
  }

  /// Lets what the body has left behind run for a number of steps.
  mutating func endBody(_ ending: ScheduleEnding) {
    self.ending = ending
    if phase == .over { return }
    phase = .ended
    restSteps = Self.restLimit
    if !entries.isEmpty || !outside.isEmpty { trace?.note("the test's body has ended") }
  }

  /// Returns what remains after a run, in order.
  private mutating func takeRest() -> TestStep? {
    if entries.isEmpty { addOutside() }
    let isLimited = phase != .over
    guard phase != .resting, !isLimited || restSteps > 0, !entries.isEmpty else { return nil }
    if isLimited { restSteps -= 1 }
    return run(entries.remove(at: 0))
  }

  /// Lets what a canceled body does run for a number of steps.
  mutating func beginStopping() {
    phase = .stopping
    restSteps = Self.restLimit
  }
}

extension ReadyJobs {
  /// - Returns: Whether the sleep continues; otherwise, it was cancelled before.
  mutating func fallAsleep(
    _ id: Int, until deadline: Duration, _ waitingTask: WaitingTask
  ) -> Bool {
    let wasCancelled = sleepers.begin(id)
    // In a stopped run, a loop that ignores its cancellation must not spin.
    let mayRest = phase == .stopping || phase == .resting
    if phase == .over || wasCancelled && !mayRest { return false }
    sleepers.insert(
      id, until: deadline, Sleep(task: TaskID.current, waitingTask: waitingTask))
    // A sleeper whose deadline has passed takes part in the next choice.
    if deadline <= now, !mayRest { _ = wakeSleepers() }
    return true
  }

  /// Moves the time to the next deadline, and makes the tasks that sleep until then ready.
  ///
  /// - Returns: Whether a task was sleeping.
  private mutating func wakeSleepers() -> Bool {
    guard let next = sleepers.nextDeadline else { return false }
    now = max(now, next)
    while let sleeper = sleepers.popFirst(through: now) {
      let sleep = sleeper.sleep
      add(
        Entry(
          work: .waitingTask(sleep.waitingTask), task: sleep.task, number: number(of: sleep.task),
          cause: .deadline(sleeper.deadline)))
    }
    return true
  }
}

/// A task that waits to be resumed.
///
/// Not a checked continuation, which would cost more at each step.
// Sound: the code that removes it from the state of a run resumes it, so that happens once.
@safe struct WaitingTask: Sendable {
  private let continuation: UnsafeContinuation<Bool, Never>

  /// Suspends the task until it is resumed.
  ///
  /// - Parameter keep: Stores the waiting task, or returns it to resume it immediately.
  /// - Returns: The value that resumes it.
  static func wait(
    isolation: isolated (any Actor)? = #isolation, _ keep: (WaitingTask) -> Void
  ) async -> Bool {
    await unsafe withUnsafeContinuation { continuation in
      keep(unsafe WaitingTask(continuation: continuation))
    }
  }

  func resume(returning value: Bool) {
    unsafe continuation.resume(returning: value)
  }
}
