internal import Synchronization

/// Runs the jobs of a test one at a time, in an order that it is given.
///
/// All jobs of a task that prefers this executor run here: after each suspension, for its child
/// tasks, and for the default actors that it calls. So do those of the unstructured tasks and of the
/// main actor that these jobs start, if the executor is a whole test's. So "no job is here" means
/// that each of these tasks has ended, or waits for something else: a clock, another executor, a
/// continuation.
///
/// It is also a serial executor, so that an actor's jobs are in the same order.
package final class TestExecutor: TaskExecutor, SerialExecutor {
  package let order: any JobOrder
  private let isExplored: Bool
  private let actors = ActorExecutor()
  /// The test's own task; `UInt64.max` if the executor isn't a whole test's, and 0 if the task hasn't
  /// started.
  private let root: Atomic<UInt64>
  private let standIn = AtomicLazyReference<MainActorStandIn>()
  /// Four times the number of jobs so far, plus the isolation of the running one; plus 0 if none runs.
  private let turns = Atomic(0)
  /// Whether an actor's turn ends after the running task.
  private let endsTurn = Atomic(false)
  /// Whether an actor's turn is ending.
  private let isEndingTurn = Atomic(false)

  /// - Parameter root: The test's own task, if the executor is a whole test's; 0 for the task of the
  ///   first job.
  package init(order: any JobOrder, root: UInt64? = nil) {
    self.order = order
    self.root = Atomic(root ?? .max)
    isExplored = type(of: order).isExplored
    // Sound: nothing else knows it yet.
    unsafe actors.executor = self
    if root != nil { RuntimeHooks.install() }
  }

  deinit { RunningExecutors.shared.releaseTasks(of: self) }

  /// Whether a task without an executor of its own, which a job here starts or resumes, belongs to
  /// the test.
  func owns(_ task: UInt64) -> Bool { task > root.load(ordering: .relaxed) }

  /// Takes the place of the main actor's executor while a job of the test asks for that.
  var mainActor: MainActorStandIn {
    if let standIn = standIn.load() { return standIn }
    let new = MainActorStandIn(for: self)
    let standIn = standIn.storeIfNil(new)
    // A task that has been suspended on the main actor knows its executor, but doesn't retain it. So
    // this is sound because it's never freed.
    if standIn === new { _ = unsafe Unmanaged.passRetained(new) }
    return standIn
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    // Sound: this owns `actors`, and tasks retain their executor.
    unsafe actors.asUnownedSerialExecutor()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    enqueue(TestJob(job: UnownedJob(job), place: .nonisolated))
  }

  func enqueue(_ job: TestJob) {
    if root.load(ordering: .relaxed) == 0 { root.store(job.task, ordering: .relaxed) }
    let isOutside = RunningExecutors.shared.current !== self
    var job = job
    if !isOutside {
      job.isNextTurn = isEndingTurn.load(ordering: .relaxed)
      endTurn()
    }
    if order.add(job, isOutside: isOutside) { start() }
  }

  /// If the running job is an actor's, ends the actor's turn after the running task.
  ///
  /// Called when a job becomes ready, so that it can run before the actor's next turn.
  private func endTurn() {
    guard isExplored, !endsTurn.load(ordering: .relaxed) else { return }
    let endsTurn = TurnEnd.schedule(
      willLeave: { self.isEndingTurn.store(true, ordering: .relaxed) },
      didLeave: { self.isEndingTurn.store(false, ordering: .relaxed) })
    self.endsTurn.store(endsTurn, ordering: .relaxed)
  }

  /// Begins to run what is next, on a thread of its own.
  package func start() {
    WorkerThreads.shared.run { self.takeTurn() }
  }

  /// The number of steps before other tests that wait for a thread get their turn.
  private static let turn = 64

  private func takeTurn(_ first: TestStep? = nil, isOnMainActor: Bool = false) {
    guard let next = run(first, isOnMainActor: isOnMainActor, atMost: Self.turn) else { return }
    if next.isOnMainActor ?? isOnMainActor {
      Task.detached { @MainActor in self.takeTurn(next, isOnMainActor: true) }
    } else {
      WorkerThreads.shared.run { self.takeTurn(next) }
    }
  }

  /// Runs what is next until nothing can run: the main actor's jobs there, and others on this thread.
  @concurrent package func drain() async {
    repeat {
      var next = run()
      while let step = next {
        next = await MainActor.run { self.run(step, isOnMainActor: true) }
        if let step = next { next = run(step) }
      }
    } while await othersHaveRun()
  }

  /// Runs what is next on this thread.
  ///
  /// - Returns: What runs next, but not here or not now; `nil` if nothing can run, or if another
  ///   thread has begun to run what is next.
  private func run(
    _ first: TestStep? = nil, isOnMainActor: Bool = false, atMost limit: Int = .max
  ) -> TestStep? {
    asRunning {
      var next = first ?? nextStep()
      var count = 0
      while let step = next, count < limit, step.isOnMainActor ?? isOnMainActor == isOnMainActor {
        guard perform(step) else { return nil }
        count += 1
        next = nextStep()
      }
      return next
    }
  }

  /// Calls a function as a part of the running job.
  package func asRunning<R>(_ function: () -> R) -> R {
    RunningExecutors.shared.with(root.load(ordering: .relaxed) == .max ? nil : self, function)
  }

  /// - Returns: Whether this thread still runs what is next.
  private func perform(_ step: TestStep) -> Bool {
    switch step {
    case .run(let job):
      let isolation = isolation(of: job)
      // One thread at a time gets here.
      let turn = turns.load(ordering: .relaxed) / 4 * 4 + 4 + isolation.rawValue
      turns.store(turn, ordering: .relaxed)
      endsTurn.store(false, ordering: .relaxed)
      run(job, isolation)
      return end(turn)
    case .call(let function):
      function()
      return true
    }
  }

  /// What no other job may use while a job runs.
  private enum Isolation: Int {
    case none = 1
    /// The actors of this executor.
    case actors
    case mainActor
  }

  private func isolation(of job: TestJob) -> Isolation {
    switch job.place {
    case .mainActor: .mainActor
    case .executor: .actors
    // In a schedule without isolation, so that a task needs no turn to leave that of the actors.
    case .nonisolated: isExplored || isBlocked(.actors) ? .none : .actors
    }
  }

  // Sound: the executors live as long as the code that runs their jobs.
  private func run(_ job: TestJob, _ isolation: Isolation) {
    let executor = unsafe job.effect?.asUnownedTaskExecutor() ?? asUnownedTaskExecutor()
    switch isolation {
    case .mainActor:
      unsafe job.job.runSynchronously(
        isolatedTo: mainActor.asUnownedSerialExecutor(), taskExecutor: executor)
    case .none:
      // Sound, as above.
      unsafe job.job.runSynchronously(on: executor)
    case .actors:
      unsafe job.job.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: executor)
    }
  }

  // MARK: - Jobs that block their threads

  private struct Blocked {
    /// The isolation of each job that blocks its thread while others run beside it.
    var isolations: [Isolation] = []
    /// The jobs that wait for such an isolation.
    var waiting: [TestJob] = []
    /// Finishes when none of the others can run.
    var others: Wait?
  }

  private let blocked = Mutex(Blocked())
  private let hasBlocked = Atomic(false)

  /// Whether a job has blocked its thread for so long that others began to run beside it.
  var hasBlockedJobs: Bool { hasBlocked.load(ordering: .relaxed) }

  /// Identifies the running job, if something waits for it to end.
  var runningJob: Int? {
    let turn = turns.load(ordering: .relaxed)
    return turn.isMultiple(of: 4) || !order.hasWaitingJobs ? nil : turn
  }

  /// Lets other jobs run beside one that blocks its thread, unless it has ended.
  ///
  /// From then on, another thread runs what is next. What needs the job's isolation waits for its end.
  func runOthers(beside job: Int) {
    let isRunning = blocked.withLock { blocked in
      guard let isolation = Isolation(rawValue: job % 4), noteEnd(of: job) else { return false }
      blocked.isolations.append(isolation)
      if blocked.others == nil { blocked.others = Wait() }
      hasBlocked.store(true, ordering: .relaxed)
      return true
    }
    if isRunning { start() }
  }

  /// Records that a job no longer keeps the others from running.
  ///
  /// - Returns: Whether it did.
  private func noteEnd(of turn: Int) -> Bool {
    turns.compareExchange(expected: turn, desired: turn / 4 * 4, ordering: .relaxed).exchanged
  }

  /// Ends a job, and makes those ready that have waited for its isolation.
  ///
  /// - Returns: Whether this thread still runs what is next.
  private func end(_ turn: Int) -> Bool {
    if noteEnd(of: turn) { return true }
    let waiting = blocked.withLock { blocked in
      let index = blocked.isolations.firstIndex { $0.rawValue == turn % 4 }
      if let index { blocked.isolations.remove(at: index) }
      defer { blocked.waiting = [] }
      return blocked.waiting
    }
    for job in waiting where order.add(job, isOutside: false) { start() }
    return false
  }

  private func isBlocked(_ isolation: Isolation) -> Bool {
    hasBlockedJobs && blocked.withLock { $0.isolations.contains(isolation) }
  }

  /// Removes what runs next, and keeps what must wait for a job that blocks its thread.
  private func nextStep() -> TestStep? {
    while let step = order.next() {
      guard hasBlockedJobs, case .run(let job) = step, keep(job) else { return step }
    }
    if hasBlockedJobs { blocked.withLock { $0.others }?.finish(.fulfilled) }
    return nil
  }

  private func keep(_ job: TestJob) -> Bool {
    blocked.withLock { blocked in
      let mustWait = blocked.isolations.contains {
        $0 == .actors && job.place == .executor || $0 == .mainActor && job.place == .mainActor
      }
      if mustWait { blocked.waiting.append(job) }
      return mustWait
    }
  }

  /// Waits for the thread that has taken over, if a job has blocked its own.
  private func othersHaveRun() async -> Bool {
    guard hasBlockedJobs, let others = blocked.withLock({ $0.others }) else { return false }
    _ = await others.outcome()
    blocked.withLock { $0.others = nil }
    return true
  }
}

/// The executor of actors that run on a test's executor.
///
/// It is a separate executor, which distinguishes their jobs from the jobs of nonisolated tasks.
private final class ActorExecutor: SerialExecutor {
  // Sound: the executor that owns this one sets it once, before any other code knows either.
  nonisolated(unsafe) unowned var executor: TestExecutor!

  func enqueue(_ job: consuming ExecutorJob) {
    unsafe executor.enqueue(TestJob(job: UnownedJob(job), place: .executor))
  }
}

/// The executor of the main actor, as a test's tasks know it.
///
/// Its jobs have their place in the order of the test, and run on the main actor.
final class MainActorStandIn: SerialExecutor {
  private weak let executor: TestExecutor?

  init(for executor: TestExecutor) {
    self.executor = executor
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard let executor else { return MainActor.shared.enqueue(job) }
    executor.enqueue(TestJob(job: job, place: .mainActor))
  }

  /// Checks code that runs on the main queue without being one of its jobs, as in `main.sync`.
  func checkIsolated() {
    RunningExecutors.shared.with(nil) { MainActor.preconditionIsolated() }
  }
}
