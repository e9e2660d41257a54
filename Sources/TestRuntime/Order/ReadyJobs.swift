/// The ready jobs of a test, its waiting tasks, and the choices of its schedule.
///
/// Use it under the lock of its order.
package struct ReadyJobs {
  typealias Entry = ReadyEntries.Entry

  /// What is known of the running job.
  struct Running {
    /// The number of the job; 0 if none runs.
    var number = 0
    var task: UInt64 = 0
    /// The tasks that go on when those that have started immediately let go of the thread.
    var interrupted: [UInt64] = []
    /// The actor on which the job began.
    var actor: Int?
    var place = TestJob.Place.nonisolated
    /// Whether a task has begun to run on the actor.
    var hasBegun = false
    /// Whether it only resumes a task.
    var isResumption = false
    var hasYielded = false
    /// Whether the task waits for an actor whose job is ready, or on which an overtaken job is.
    var waits = false
    /// The boundaries in the task's step so far.
    var boundaries: [Int] = []
    /// The task's next job, which goes on in the same step.
    var next: (entry: Entry, isBoundary: Bool)?
  }

  /// Why nothing runs.
  package enum Pause: Sendable {
    /// The body of the test has ended.
    case ended
    /// Nothing can run, and no task sleeps.
    case idle
    /// Something keeps running.
    case restless
  }

  enum Phase {
    /// The test isn't explored: nothing is chosen, and time is real.
    case plain
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
    let task: SleepingTask
    let stack: SourceStack?
    let waitingTask: WaitingTask
  }

  var phase: Phase
  private(set) var pause = Pause.idle
  private(set) var ending: ScheduleEnding?
  /// Finishes when a job arrives; set while there is none.
  var arrival: Wait?

  private var entries = ReadyEntries()
  /// Jobs that arrived from other threads.
  ///
  /// They wait until nothing else is ready, so that the moment of their arrival matters as little
  /// as possible.
  private var outside: [Entry] = []
  private var outsideSince = 0
  /// The tasks that can run, apart from effects of stores.
  var readyTasks: [UInt64] {
    var tasks: [UInt64] = []
    for entry in (0..<entries.count).map({ entries[$0] }) + outside {
      switch entry.work {
      case .job(let job), .yield(let job): if job.effect != nil { continue }
      case .waitingTask, .overtaken: break
      }
      if entry.task != running.task, !tasks.contains(entry.task) { tasks.append(entry.task) }
    }
    return tasks
  }

  /// Waits until nothing can run, each with the number of jobs when it began.
  var idleWaits: [(wait: Wait, start: Int)] = []
  /// Waits for something that may never happen, each with the number of moments when its limit began.
  var limitedWaits: [(wait: Wait, start: Int)] = []

  private(set) var now = Duration.zero
  /// How often time has moved.
  private(set) var moments = 0
  /// The number of moments when the body of the test last ran.
  private var momentOfBody = 0
  /// The most jobs that were ready at once.
  private var mostReady = 0
  /// The number of jobs when a task was last new, or a wait was given up.
  private var jobsUntilProgress = 0
  /// Whether something has kept running while a wait lasted.
  private(set) var isRestless = false
  /// Whether a wait has ended because only time passes.
  private(set) var onlyTimePasses = false
  /// The last task that suspended where that was captured, and where it did.
  private(set) var lastTask: (task: UInt64, stack: SourceStack?) = (0, nil)
  /// The number of sleeps that began after the end of the run.
  private var lateSleeps = 0
  /// The number of jobs so far.
  private var jobs = 0
  var sleepers = Sleepers<Sleep>()

  private var strategy: any Strategy
  private(set) var record = ChoiceRecord()
  /// The record of what ran when; `nil` if nothing is recorded, or nothing more.
  var trace: ScheduleTrace?
  /// The record, if there was no room for more.
  private var fullTrace: ScheduleTrace?
  // Not `trace != nil`, for which a debug build would copy the trace at each visit.
  private var isTracing: Bool
  /// The number of jobs that arrived from outside.
  private(set) var arrivalCount = 0
  /// How often a task let something run outside.
  private(set) var departureCount = 0
  /// Whether some job could not be overtaken, because too many were.
  private(set) var isLimited = false
  /// Whether the runtime shows enough of the tasks that overtake each other.
  private let mayOvertake: Bool
  /// The places in which nobody is overtaken, because a lock is held there.
  private let locks: Set<Int>
  /// Stands for all places, where no stack is known.
  package static let everywhere = 0
  /// Whether a job would have been overtaken where a lock is held.
  private(set) var hasRefused = false
  /// The jobs that hold their threads.
  private(set) var away = AwayJobs()
  private(set) var running = Running()
  /// The thread on which the running job runs, if it's known.
  var thread: WatchedThread?
  /// How often the running task has gone on while others were ready.
  private var passed = 0
  /// Whether the running job has just made another one ready, and so may be overtaken.
  private var hasMadeReady = false
  private var boundaries = Boundaries()
  /// The boundary before which a task has yielded on the actor that it left there.
  private var yields: [UInt64: Int] = [:]
  private var numbers: [UInt64: Int] = [:]
  /// The number of overtaken jobs.
  private var overtakenCount = 0
  /// The entry that was chosen to overtake the running job.
  private var chosen: Entry?

  /// The number of steps that may still run after the body has ended, or was cancelled.
  private var restSteps = 0
  /// Whether a thread runs what is next.
  private(set) var isRunning = false
  /// Finishes when nothing can run; set while the exploring task waits for that.
  var pausing: Wait?

  /// The number of jobs, waits and sleeps so far, in real time.
  var activity = 0
  /// Whether something waits until the test does nothing.
  var isWatched = false
  /// Whether the test may have started tasks that run elsewhere, in real time.
  private(set) var hasOthers: Bool
  /// The effect of the last job that belonged to one.
  private(set) var lastEffect: EffectExecutor?

  /// The maximum number of sleeps after the end of the run that end at once.
  private static let mostLateSleeps = 100
  /// The maximum number of steps after the end of the body.
  private static let restLimit = 1_000
  /// The maximum number of jobs in a schedule.
  private static let stepLimit = 200_000
  /// The number of jobs after which something keeps running: while a test waits for them to end, or in a
  /// schedule without a new task.
  private var restlessLimit: Int { 50_000 + 20 * mostReady }
  /// How often time may move while the body of a test waits within a limit.
  package static let limitOfMoments = 1_000
  /// The number of jobs after which jobs from outside run even if others are ready.
  private static let patience = 1_000
  /// How often a task goes on while others are ready, because it may be polling.
  private static let mostPassed = 100
  /// The maximum number of threads that wait until their jobs go on.
  private static let mostOvertaken = 24

  init(
    strategy: (any Strategy)?, isTraced: Bool, locks: Set<Int> = [], mayOvertake: Bool = true,
    hasOthers: Bool = false
  ) {
    phase = strategy == nil ? .plain : .running
    self.strategy = strategy ?? .given(.plain)
    self.hasOthers = hasOthers
    (self.locks, self.mayOvertake) = (locks, mayOvertake)
    isTracing = isTraced
    trace = isTraced ? ScheduleTrace() : nil
  }

  /// Takes a job that has become ready.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - isOutside: Whether no job of the order has made it ready.
  ///   - stack: Where the running task is, if that is captured.
  mutating func take(_ job: TestJob, isOutside: Bool, at stack: SourceStack? = nil) {
    let (kind, current) = (job.kind, job.origin)
    if !isOutside, current != 0, !job.isTurnEnd { noteRunning(current) }
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
    // One that has started immediately lets go of the thread, on which its creator goes on.
    let letsGo =
      !isOutside && !running.interrupted.isEmpty && task == running.task
      && (kind == .yield || current == 0)
    var entry = Entry(
      work: kind == .yield ? .yield(job) : .job(job), task: task, number: number(of: task),
      cause: cause, actor: actor, stack: stack)
    if stack != nil, kind == .yield || current == task { lastTask = (task, stack) }
    if isOutside {
      if outside.isEmpty { outsideSince = record.steps }
      outside.append(entry)
      if phase == .running || phase == .ended { arrivalCount += 1 }
    } else if current == 0, task != 0, task == running.task, kind != .yield, !letsGo {
      // The running task has let go of its thread, and goes on elsewhere.
      if let actor { boundaries.visit(actor, after: running.boundaries) }
      noteReturn(to: actor, of: task)
      // The queue of a default actor isn't seen, so whether its turn comes now is a choice, too.
      let isBoundary =
        kind == .actor || running.actor != nil && actor == nil && !running.isResumption
      entry.boundaries = running.boundaries
      addNext()
      running.next = (entry, isBoundary: isBoundary)
    } else {
      if kind == .yield { noteYield(of: task) }
      add(entry)
      hasMadeReady = letsGo || current != 0 && !job.isTurnEnd && kind != .yield
      if letsGo {
        if let actor { boundaries.visit(actor, after: running.boundaries) }
        endImmediate()
      }
    }
  }

  /// Notices that a task starts immediately, on its creator's thread and in its step.
  mutating func beginImmediate(_ task: UInt64) {
    if task == running.task { return }
    running.interrupted.append(running.task)
    running.task = task
    trace?.begin(task)
  }

  private mutating func endImmediate() {
    running.task = running.interrupted.removeLast()
    running.hasYielded = false
  }

  /// Notices that another task runs than the one with which the job began.
  private mutating func noteRunning(_ task: UInt64) {
    while running.task != task, running.interrupted.contains(task) { endImmediate() }
    guard running.task != task, !running.isResumption else { return }
    endStep()
    addNext()
    running.task = task
  }

  /// Makes the running task's next job a ready one like the others.
  private mutating func addNext() {
    guard let next = running.next else { return }
    running.next = nil
    add(next.entry)
  }

  /// Ends the running task's step, which has reached a suspension, or the end of the task.
  private mutating func endStep() {
    if !running.isResumption, !running.hasYielded,
      let left = yields.removeValue(forKey: running.task)
    {
      boundaries.confirm(left)
    }
    for boundary in running.boundaries where running.waits || boundaries.leaves(boundary) {
      boundaries.confirm(boundary)
    }
    running.boundaries = []
    running.waits = false
  }

  /// Keeps the boundary where a task has left the actor on which it yields.
  private mutating func noteYield(of task: UInt64) {
    running.hasYielded = true
    passed = 0
    guard let last = running.boundaries.last, boundaries.leaves(last) else { return }
    running.boundaries.removeLast()
    yields[task] = last
  }

  /// Notices where a task is after a yield: on its actor again, as if it had never left it, or not.
  private mutating func noteReturn(to actor: Int?, of task: UInt64) {
    guard actor != nil || !running.isResumption, let left = yields.removeValue(forKey: task) else {
      return
    }
    if actor == nil || !boundaries.leaves(left, actor!) { boundaries.confirm(left) }
  }

  private mutating func add(_ entry: Entry) {
    entries.append(entry, priority: strategy.priority(of: entry.number))
  }

  /// Notices that a task waits for an actor, if it's the running one, which lets go of its thread.
  mutating func willWait(_ task: UInt64) {
    if task == running.task, !running.isResumption { running.waits = true }
  }

  /// Whether a task is one of the test's.
  func knows(_ task: UInt64) -> Bool { numbers[task] != nil }

  /// Remembers a task of the test, which an actor may run without a job of the task's own.
  mutating func meet(_ task: UInt64) { _ = number(of: task) }

  /// Notices that the running task visits an actor, which it is about to leave.
  mutating func didVisit(_ actor: UInt, by task: UInt64) {
    if task != 0 { noteRunning(task) }
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
  mutating func begin(_ task: UInt64, on actor: UInt) -> Rest? {
    if running.hasBegun {
      endStep()
      addNext()
      running.hasYielded = false
    }
    defer { running.hasBegun = true }
    if hasChoices, !knows(task) { noteDeparture("lets another test's task use the same actor") }
    trace?.begin(task)
    running.task = task
    let index = visit(actor, by: task, job: true)
    let isOwn = index.map { boundaries.isOwn($0, of: task) } ?? false
    return running.hasBegun && !isOwn ? overtake(on: actor, leaves: true) : nil
  }

  /// Notices that some job can't be overtaken.
  mutating func limitOvertaking() { isLimited = true }

  /// Lets others overtake the running job, if the schedule says so.
  ///
  /// - Parameter place: Where the job is, if any places are known in which a lock is held.
  /// - Returns: What the job's thread waits for.
  mutating func overtake(on actor: UInt?, leaves: Bool, at place: Int? = nil) -> Rest? {
    guard hasMadeReady || leaves else { return nil }
    hasMadeReady = false
    // While a task leaves an actor, it holds no lock.
    let isPolling = leaves && isPolling()
    guard isPolling || hasChoices && mayOvertake, isRunning, running.task != 0, !entries.isEmpty
    else {
      return nil
    }
    if overtakenCount == Self.mostOvertaken {
      isLimited = true
      return nil
    }
    addNext()
    let before = running.place == .nonisolated ? nil : entries
    if before != nil {
      if entries.areAll(at: running.place) { return nil }
      entries.hold(running.place)
    }
    let hasLock = !leaves && !locks.isEmpty && locks.contains(place ?? Self.everywhere)
    if hasChoices {
      let actor = actor.map { boundaries.visit($0, by: running.task) } ?? running.actor
      running.boundaries.append(
        boundaries.add(choice: record.picks.count, on: actor, leaves: leaves))
    }
    let rest = Rest()
    add(
      Entry(
        work: .overtaken(rest, running), task: running.task, number: number(of: running.task),
        cause: .overtaken, holdsNoLock: leaves))
    let next = choose(insteadOf: isPolling ? 0 : entries.count - 1, isForced: hasLock)
    if case .overtaken(let own, _) = next.work, own === rest {
      // In their order: the job goes on as if nobody could have overtaken it.
      if let before { entries = before }
      return nil
    }
    overtakenCount += 1
    chosen = next
    thread = nil
    return rest
  }

  /// Whether a job is the running one; `nil` stands for code that acts for the test outside of its jobs.
  func isRunning(_ job: Int?) -> Bool { job == nil || job == running.number }

  /// The running job, if others wait until it lets go of its thread.
  var holding: (job: Int, thread: WatchedThread, overtakesLock: Bool)? {
    guard isRunning, running.number != 0, let thread, !isIdle || overtakenCount > 0 else {
      return nil
    }
    return (running.number, thread, overtakenCount > 0)
  }

  /// Lets others go on beside the running job, which holds its thread.
  ///
  /// If it sleeps, it may wait for what an overtaken job has locked, so these go on first.
  ///
  /// - Parameter sleep: What its thread does, if it sleeps.
  /// - Returns: Whether it was still running, and sleeping.
  mutating func leave(_ job: Int, sleep: WatchedThread.Sample?) -> Bool {
    guard isRunning, running.number == job, let thread, sleep == nil || sleep == thread.sample()
    else { return false }
    let sleep = overtakenCount > 0 ? sleep : nil
    away.add(job, at: running.place, on: thread, sleep: sleep)
    addNext()
    if running.place != .nonisolated { entries.hold(running.place) }
    if sleep == nil { noteAway() }
    running = Running()
    self.thread = nil
    return true
  }

  private mutating func noteAway() {
    noteDeparture("holds its thread without suspending, so others go on")
  }

  /// Records that the thread of a job which has been away is free.
  ///
  /// - Returns: Whether the caller must run what is next.
  mutating func comeBack(_ job: Int) -> Bool {
    guard let (place, sleep) = away.remove(job) else { return false }
    if case .wasShort = sleep { noteAway() }
    if place != .nonisolated { for entry in entries.release(place) { add(entry) } }
    return begin()
  }

  /// Remembers the place of an overtaken job that goes on because of what it may have locked.
  mutating func suspect(_ stack: SourceStack?) { away.suspect(stack) }

  /// Whether something waits until nothing can run, and for that needs a job which holds its thread.
  var waitsForAway: Bool { !isRunning && away.areAwaited && !idleWaits.isEmpty }

  /// Lets what is next no longer wait for jobs that hold their threads.
  ///
  /// - Returns: Whether something does.
  mutating func ignoreAway() -> Bool { away.ignore() }

  /// Runs the rest of an overtaken job, which may have locked what another job waits for.
  private mutating func suspectedRest() -> TestStep? {
    switch away.checkSleep() {
    case nil, .hasEnded: return nil
    case .wasShort: noteAway()
    case .lasts:
      if let chosen = chosen.take() { add(chosen) }
      for index in (0..<entries.count).reversed() {
        guard case .overtaken(let rest, _) = entries[index].work, !entries[index].holdsNoLock else {
          continue
        }
        rest.isSuspected = true
        return run(entries.remove(at: index))
      }
      away.clearSuspects()
      noteAway()
    }
    return nil
  }

  /// Whether the running task, which could go on, has done so too often while others were ready.
  private mutating func isPolling() -> Bool {
    if entries.isEmpty, outside.isEmpty { return false }
    passed += 1
    if passed <= Self.mostPassed { return false }
    if entries.isEmpty { addOutside() }
    return true
  }

  /// Records that the running job lets something run outside.
  mutating func noteDeparture(_ text: String) {
    hasOthers = true
    guard phase == .running || phase == .ended else { return }
    departureCount += 1
    trace?.note(text, isDeparture: true)
  }

  mutating func number(of task: UInt64) -> Int {
    if phase == .plain { return 0 }
    if let number = numbers[task] { return number }
    numbers[task] = numbers.count
    jobsUntilProgress = jobs
    return numbers.count - 1
  }

  /// Lets a task that waits at a choice point take part in the next choice.
  mutating func addChoice(
    of task: UInt64, _ waitingTask: WaitingTask, label: String, at stack: SourceStack?
  ) {
    let cause = trace?.choice(label) ?? .itself
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

  /// Whether the schedule chooses what runs next.
  var hasChoices: Bool { phase == .running || phase == .ended }

  /// Whether a task may let others run at a choice point.
  var mayChoose: Bool { phase == .plain || hasChoices }

  /// Waits until nothing can run.
  ///
  /// - Returns: Whether that is so already.
  mutating func waitUntilIdle(_ wait: Wait) -> Bool {
    activity += 1
    if phase == .over || phase == .plain && !isRunning && !away.areAwaited { return true }
    idleWaits.append((wait, jobs))
    return false
  }

  /// The tasks that could go on, in order.
  var restlessTasks: [UInt64] {
    var tasks = running.next.map { [$0.entry.task] } ?? []
    for index in 0..<entries.count where entries[index].task != 0 {
      tasks.append(entries[index].task)
    }
    return tasks
  }

  /// Whether there is nothing to choose or to wake.
  var isIdle: Bool {
    entries.isEmpty && outside.isEmpty
      && (away.areAwaited || idleWaits.isEmpty && sleepers.count == 0)
  }

  private mutating func addOutside() {
    for entry in outside { add(entry) }
    outside = []
  }

  /// Begins to run what is next, if something may run now and no thread runs it.
  mutating func begin() -> Bool {
    let isFree = phase == .over || phase == .plain
    let waits = phase == .plain && !idleWaits.isEmpty && !away.areAwaited
    let mayRun = isFree ? !entries.isEmpty || !outside.isEmpty || waits : pausing != nil
    if isRunning || !mayRun { return false }
    isRunning = true
    return true
  }

  /// Chooses what runs next.
  mutating func next() -> TestStep? {
    hasMadeReady = false
    let step = step()
    isRunning = step != nil
    return step
  }

  private mutating func step() -> TestStep? {
    if let step = suspectedRest() { return step }
    if let wait = takeHopelessWait() { return .call { wait.finish(.timedOut) } }
    switch phase {
    case .plain: return choose()
    case .running:
      if !isEndless { return choose() }
      pause = .restless
      return nil
    case .ended:
      if restSteps > 0 {
        restSteps -= 1
        if let step = choose() { return step }
      } else if !entries.isEmpty || running.next != nil {
        noteDeparture("still runs \(Self.restLimit.grouped) steps after the test's body has ended")
      }
      pause = .ended
      return nil
    case .stopping, .resting, .over: return takeRest()
    }
  }

  /// Removes a wait for what will not happen, because something keeps running or only time passes.
  private mutating func takeHopelessWait() -> Wait? {
    if let left = jobsUntilGivingUp, left < 0 {
      isRestless = true
      jobsUntilProgress = jobs
      return idleWaits.removeFirst().wait
    }
    guard entries.isEmpty,
      let index = limitedWaits.firstIndex(where: { moments - $0.start >= Self.limitOfMoments })
    else { return nil }
    onlyTimePasses = true
    return limitedWaits.remove(at: index).wait
  }

  /// The number of jobs until a wait for their end is given up; `nil` if there is no such wait.
  private var jobsUntilGivingUp: Int? {
    // After the first failure of a test, the next ones needn't take as long.
    let limit = isRestless ? Self.restLimit : restlessLimit
    return idleWaits.first.map { $0.start + limit - jobs }
  }

  /// Whether only a few jobs run before a wait is given up.
  var isAboutToGiveUp: Bool { jobsUntilGivingUp == Self.lastJobs }

  /// The number of these jobs.
  static let lastJobs = 16

  /// Whether a schedule doesn't seem to end.
  private var isEndless: Bool {
    jobs >= Self.stepLimit
      || idleWaits.isEmpty && jobs - jobsUntilProgress >= restlessLimit
  }

  private mutating func choose() -> TestStep? {
    if let chosen = chosen.take() { return run(chosen) }
    if let next = running.next {
      running.next = nil
      if entries.isHeld(next.entry.place) || isPolling() {
        add(next.entry)
      } else if next.isBoundary, !entries.isEmpty {
        var entry = next.entry
        if hasChoices {
          let entered = entry.actor
          let boundary = boundaries.add(
            choice: record.picks.count, on: entered == nil ? running.actor : nil,
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
      endStep()
    }
    if !outside.isEmpty, entries.isEmpty || record.steps - outsideSince > Self.patience {
      addOutside()
    }
    while entries.isEmpty {
      if phase == .ended { return nil }
      if away.areAwaited {
        pause = .idle
        return nil
      }
      if !idleWaits.isEmpty {
        running = Running()
        // One at a time: the first may add jobs, and the next must wait for these, too.
        return .finish(idleWaits.removeFirst().wait)
      }
      let onlyTimePasses = moments - momentOfBody >= 10 * Self.limitOfMoments
      guard !onlyTimePasses, wakeSleepers() else {
        pause = onlyTimePasses ? .restless : .idle
        return nil
      }
    }
    mostReady = max(mostReady, entries.count)
    return run(choose(insteadOf: 0))
  }

  /// Removes what runs next.
  ///
  /// - Parameters:
  ///   - plain: The index of what runs next in the plain order.
  ///   - isForced: Whether that is what runs next in each order.
  private mutating func choose(insteadOf plain: Int, isForced: Bool = false) -> Entry {
    let width = entries.count
    var index =
      hasChoices && width > 1 ? strategy.choose(among: &entries.ready, plain: plain) : plain
    if isForced, index != plain { (index, hasRefused) = (plain, true) }
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
    if isForced, width > 1, hasChoices { record.isNoticed[record.isNoticed.count - 1] = false }
    if !goesOn || entry.cause != .overtaken {
      if trace?.append(entry, passed: passed, index: pick, of: width) == false {
        (fullTrace, trace, isTracing) = (trace, nil, false)
      }
    }
    return entry
  }

  private mutating func run(_ entry: Entry) -> TestStep {
    jobs += 1
    activity += 1
    if entry.task != running.task { passed = 0 }
    if entry.number == 0 { momentOfBody = moments }
    running = Running(
      number: jobs, task: entry.task, actor: entry.actor, place: entry.place,
      boundaries: entry.boundaries)
    switch entry.work {
    case .job(let job):
      if let effect = job.effect { lastEffect = effect }
      return .run(job)
    case .yield(let job):
      running.isResumption = true
      return .run(job)
    case .waitingTask(let waitingTask):
      running.isResumption = true
      return .call { waitingTask.resume(returning: true) }
    case .overtaken(let rest, let waiting):
      let since = running.boundaries
      running = waiting
      running.boundaries += since
      overtakenCount -= 1
      passed = 0
      for entry in entries.release(waiting.place) { add(entry) }
      return .resume(rest)
    }
  }

  /// Lets what the body has left behind run for a number of steps.
  mutating func endBody(_ ending: ScheduleEnding) {
    self.ending = ending
    // An isolated body leaves its actor just to return.
    if let last = running.boundaries.last, boundaries.leaves(last) {
      running.boundaries.removeLast()
    }
    if phase == .over { return }
    phase = .ended
    restSteps = Self.restLimit
    if !entries.isEmpty || !outside.isEmpty { trace?.note("the test's body has ended") }
  }

  /// Returns what remains after a run, in order.
  private mutating func takeRest() -> TestStep? {
    if let chosen = chosen.take() { add(chosen) }
    addNext()
    if entries.isEmpty { addOutside() }
    guard phase != .resting else { return nil }
    while !entries.isEmpty {
      if restSteps > 0 {
        restSteps -= 1
        return run(entries.remove(at: 0))
      }
      if phase != .over { return nil }
      // From now on the tasks rest, but not an actor or a thread, which others may need.
      let entry = entries.remove(at: 0)
      if entry.mustRun { return run(entry) }
    }
    return nil
  }

  /// Lets no task go on from now on.
  mutating func rest() { restSteps = 0 }

  /// Lets everything that is left run, unless it has kept running for a number of steps.
  mutating func endRun() {
    let hasKeptRunning = phase == .ended && restSteps == 0
    restSteps = hasKeptRunning ? 0 : phase == .ended ? Self.restLimit : restlessLimit
    phase = .over
  }

  /// Lets what a canceled body does run for a number of steps.
  mutating func beginStopping() {
    phase = .stopping
    restSteps = Self.restLimit
  }
}

extension ReadyJobs {
  /// What ran when, as far as it is recorded.
  var wholeTrace: ScheduleTrace? { fullTrace ?? trace }

  /// The record of the choices, which knows those that nobody noticed.
  var recordOfNoticedChoices: ChoiceRecord {
    var record = record
    for choice in boundaries.unnoticed { record.isNoticed[choice] = false }
    return record
  }
}

extension ReadyJobs {
  /// - Returns: Whether the sleep continues; otherwise, it was cancelled before.
  mutating func fallAsleep(
    _ id: Int, until deadline: Duration, _ waitingTask: WaitingTask, at stack: SourceStack?
  ) -> Bool {
    let wasCancelled = sleepers.begin(id)
    // In a stopped run, a loop that ignores its cancellation must not spin.
    let mayRest = phase == .stopping || phase == .resting
    if phase == .over {
      // A loop that ignores errors must rest, too.
      lateSleeps += 1
      return lateSleeps > Self.mostLateSleeps
    }
    if wasCancelled, !mayRest { return false }
    sleepers.insert(
      id, until: deadline,
      Sleep(task: SleepingTask(until: deadline), stack: stack, waitingTask: waitingTask))
    // A sleeper whose deadline has passed takes part in the next choice.
    if deadline <= now, !mayRest { _ = wakeSleepers() }
    return true
  }

  /// Moves the time to the next deadline, and makes the tasks that sleep until then ready.
  ///
  /// - Returns: Whether a task was sleeping.
  private mutating func wakeSleepers() -> Bool {
    guard let next = sleepers.nextDeadline else { return false }
    if next > now {
      now = next
      moments += 1
    }
    while let sleeper = sleepers.popFirst(through: now) {
      let sleep = sleeper.sleep
      add(
        Entry(
          work: .waitingTask(sleep.waitingTask), task: sleep.task.id,
          number: number(of: sleep.task.id), cause: .deadline(sleeper.deadline), stack: sleep.stack)
      )
    }
    return true
  }
}
