/// The ready jobs of a schedule, its waiting tasks, and its choices.
///
/// Use it under the lock of its run.
struct ReadyJobs {
  enum Work {
    case job(UnownedJob)
    /// Resumes a task that has yielded.
    case yield(UnownedJob)
    /// A job of an actor on the test's executor.
    case isolatedJob(UnownedJob)
    /// A task that waits at a choice point, or sleeps until now.
    case waitingTask(WaitingTask, sleeper: Int)
  }

  struct Entry {
    let work: Work
    let task: UInt64
    /// The number of the task, in the order in which tasks arrived.
    let number: Int
    let cause: ScheduleTrace.Cause
  }

  enum Next {
    case job(UnownedJob)
    case isolatedJob(UnownedJob)
    case waitingTask(WaitingTask)
    case notify(Wait)
    case pause(Pause)
  }

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
    /// The body has ended. Other ready jobs run in any order, and aren't recorded.
    case ended
    /// Nothing can run, so the test was cancelled. Jobs that become ready now run, but sleeps never
    /// end.
    case stopping
    /// Nothing of the run will ever run again.
    case abandoned
  }

  struct Sleeper {
    let id: Int
    let deadline: Duration
    let task: UInt64
    let waitingTask: WaitingTask
  }

  var phase = Phase.running
  /// The thread that runs the jobs, while one does.
  var thread: RunningThread?
  /// Ends when a job arrives while there is none.
  var arrival: Wait?

  var entries: [Entry] = []
  /// Jobs that arrived from other threads.
  ///
  /// They wait until nothing else is ready, so that the moment of their arrival matters as little
  /// as possible.
  var outside: [Entry] = []
  private var outsideSince = 0
  /// Waits until nothing can run.
  var idleWaits: [Wait] = []
  /// Waits for something that may never happen.
  var limitedWaits: [Wait] = []

  var now = Duration.zero
  /// In the order of their deadlines, and then of their arrival.
  private(set) var sleepers: [Sleeper] = []
  private var arriving: [Int: Bool] = [:]
  private var lastSleeper = 0

  var strategy: Strategy
  var record = ChoiceRecord()
  var trace: ScheduleTrace?
  /// The number of tasks that were resumed from outside.
  var outsideCount = 0
  private(set) var runningTask: UInt64 = 0
  private var numbers: [UInt64: Int] = [:]
  private var countBeforeResuming: Int?

  /// The maximum number of jobs in a run.
  static let stepLimit = 200_000
  /// The number of jobs after which jobs from outside run even if others are ready.
  private static let patience = 1_000

  init(strategy: Strategy, isTraced: Bool) {
    self.strategy = strategy
    trace = isTraced ? ScheduleTrace() : nil
  }

  /// - Parameters:
  ///   - task: The task of the job, or the task that created it.
  ///   - kind: What the job is.
  mutating func take(_ work: Work, task: UInt64, kind: JobKind, isOutside: Bool) {
    let task = task == 0 && !isOutside ? runningTask : task
    let cause =
      trace?.cause(of: task, kind: kind, running: runningTask, isOutside: isOutside) ?? .itself
    let entry = Entry(work: work, task: task, number: number(of: task), cause: cause)
    guard isOutside else { return entries.append(entry) }
    if outside.isEmpty { outsideSince = record.steps }
    outside.append(entry)
    outsideCount += 1
  }

  mutating func number(of task: UInt64) -> Int {
    if let number = numbers[task] { return number }
    numbers[task] = numbers.count
    return numbers.count - 1
  }

  /// Whether there is nothing to choose or to wake.
  var isIdle: Bool {
    entries.isEmpty && outside.isEmpty && idleWaits.isEmpty && sleepers.isEmpty
  }

  /// Chooses what runs next.
  mutating func next() -> Next {
    if let count = countBeforeResuming {
      countBeforeResuming = nil
      // Don't choose the chosen task again.
      if entries.count == count + 1, let entry = entries.popLast() { return run(entry) }
    }
    if phase == .ended { return .pause(.ended) }
    if !outside.isEmpty, entries.isEmpty || record.steps - outsideSince > Self.patience {
      entries += outside
      outside = []
    }
    while entries.isEmpty {
      if !idleWaits.isEmpty {
        runningTask = 0
        return .notify(idleWaits.removeFirst())
      }
      guard wakeSleepers() else { return .pause(.idle) }
    }
    if record.steps >= Self.stepLimit { return .pause(.restless) }
    let width = entries.count
    let index = width > 1 ? strategy.choose(among: entries.lazy.map(\.number)) : 0
    record.didChoose(entries[index].number, pick: index, of: width)
    trace?.append(entries, index: index)
    return run(entries.remove(at: index))
  }

  private mutating func run(_ entry: Entry) -> Next {
    runningTask = entry.task
    switch entry.work {
    case .job(let job): return .job(job)
    case .yield(let job):
      countBeforeResuming = entries.count
      return .job(job)
    case .isolatedJob(let job): return .isolatedJob(job)
    case .waitingTask(let waitingTask, _):
      countBeforeResuming = entries.count
      return .waitingTask(waitingTask)
    }
  }

  /// Returns what remains after the body has ended, in order.
  mutating func takeRest() -> Next? {
    if entries.isEmpty, !outside.isEmpty { swap(&entries, &outside) }
    guard !entries.isEmpty else { return nil }
    return run(entries.removeFirst())
  }
}

extension ReadyJobs {
  mutating func makeSleeper() -> Int {
    lastSleeper += 1
    arriving[lastSleeper] = false
    return lastSleeper
  }

  /// - Returns: Whether the sleep continues; otherwise, it was cancelled before.
  mutating func fallAsleep(
    _ id: Int, until deadline: Duration, _ waitingTask: WaitingTask
  ) -> Bool {
    if arriving.removeValue(forKey: id) == true { return false }
    let index = sleepers.lastIndex { $0.deadline <= deadline }.map { $0 + 1 } ?? 0
    let sleeper = Sleeper(
      id: id, deadline: deadline, task: TaskID.current, waitingTask: waitingTask)
    sleepers.insert(sleeper, at: index)
    // A sleeper whose deadline has passed takes part in the next choice.
    if deadline <= now { _ = wakeSleepers() }
    return true
  }

  /// - Returns: The sleeper, if it already sleeps.
  mutating func cancelSleeper(_ id: Int) -> WaitingTask? {
    if arriving[id] != nil { arriving[id] = true }
    if let index = sleepers.firstIndex(where: { $0.id == id }) {
      return sleepers.remove(at: index).waitingTask
    }
    for (index, entry) in entries.enumerated() {
      if case .waitingTask(let waitingTask, sleeper: id) = entry.work {
        entries.remove(at: index)
        return waitingTask
      }
    }
    return nil
  }

  /// Moves the time to the next deadline, and makes the tasks that sleep until then ready.
  ///
  /// - Returns: Whether a task was sleeping.
  private mutating func wakeSleepers() -> Bool {
    guard let first = sleepers.first else { return false }
    now = max(now, first.deadline)
    let count = sleepers.firstIndex { $0.deadline > now } ?? sleepers.count
    for sleeper in sleepers.prefix(count) {
      entries.append(
        Entry(
          work: .waitingTask(sleeper.waitingTask, sleeper: sleeper.id),
          task: sleeper.task, number: number(of: sleeper.task), cause: .deadline(sleeper.deadline)))
    }
    sleepers.removeFirst(count)
    return true
  }
}
