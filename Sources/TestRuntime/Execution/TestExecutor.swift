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
  /// Four times the number of jobs so far, plus the place of the running one; plus 0 if none runs.
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
  ///
  /// If a job has blocked the thread, another thread may still run what is next.
  @concurrent package func drain() async {
    var next = run()
    while let step = next {
      next = await MainActor.run { self.run(step, isOnMainActor: true) }
      if let step = next { next = run(step) }
    }
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
      let place = place(of: job)
      // One thread at a time gets here.
      let turn = turns.load(ordering: .relaxed) / 4 * 4 + 4 + place.rawValue
      turns.store(turn, ordering: .relaxed)
      endsTurn.store(false, ordering: .relaxed)
      run(job, at: place)
      return end(turn)
    case .call(let function):
      function()
      return true
    }
  }

  private func place(of job: TestJob) -> TestJob.Place {
    // In real time, nonisolated jobs run where actors do, so that a task needs no turn to enter one.
    // In a schedule they don't, so that a task needs no turn to leave one.
    job.place == .nonisolated && !isExplored && !isBlocked(.executor) ? .executor : job.place
  }

  // Sound: the executors live as long as the code that runs their jobs.
  private func run(_ job: TestJob, at place: TestJob.Place) {
    let executor = unsafe job.effect?.asUnownedTaskExecutor() ?? asUnownedTaskExecutor()
    switch place {
    case .mainActor:
      unsafe job.job.runSynchronously(
        isolatedTo: mainActor.asUnownedSerialExecutor(), taskExecutor: executor)
    case .nonisolated:
      // Sound, as above.
      unsafe job.job.runSynchronously(on: executor)
    case .executor:
      unsafe job.job.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: executor)
    }
  }

  // MARK: - Jobs that block their threads

  private struct Blocked {
    /// The jobs that block their threads while others run beside them.
    var jobs: [Int] = []
    /// The jobs that wait for one of these to leave its actor.
    var waiting: [TestJob] = []

    /// Whether a job at a place must wait.
    func contains(_ place: TestJob.Place) -> Bool {
      place != .nonisolated && jobs.contains { $0 % 4 == place.rawValue }
    }
  }

  private let blocked = Mutex(Blocked())
  private let hasBlocked = Atomic(false)

  /// Whether a job has blocked its thread for so long that others began to run beside it.
  var hasBlockedJobs: Bool { hasBlocked.load(ordering: .relaxed) }

  private func isBlocked(_ place: TestJob.Place) -> Bool {
    hasBlockedJobs && blocked.withLock { $0.contains(place) }
  }

  /// Identifies the running job, if something waits for it to end.
  var runningJob: Int? {
    let turn = turns.load(ordering: .relaxed)
    return turn.isMultiple(of: 4) || !order.hasWaitingJobs ? nil : turn
  }

  /// Lets other jobs run beside one that blocks its thread, unless it has ended.
  ///
  /// From then on, another thread runs what is next. What needs the job's actor waits for its end.
  func runOthers(beside job: Int) {
    let isRunning = blocked.withLock { blocked in
      guard noteEnd(of: job) else { return false }
      blocked.jobs.append(job)
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

  /// Ends a job, and makes those ready that have waited for it.
  ///
  /// - Returns: Whether this thread runs what is next.
  private func end(_ turn: Int) -> Bool {
    if noteEnd(of: turn) { return true }
    let waiting = blocked.withLock { blocked in
      blocked.jobs.removeAll { $0 == turn }
      defer { blocked.waiting = [] }
      return blocked.waiting
    }
    var mustRun = false
    for job in waiting where order.add(job, isOutside: false) { mustRun = true }
    return mustRun || order.begin()
  }

  /// Removes what runs next, and keeps what must wait for a job that blocks its thread.
  private func nextStep() -> TestStep? {
    while let step = order.next() {
      guard hasBlockedJobs, case .run(let job) = step, keep(job) else { return step }
    }
    let pause = blocked.withLock { $0.jobs.isEmpty ? order.takePause() : nil }
    // What waits for the pause isn't a part of the test.
    if let pause { RunningExecutors.shared.with(nil) { pause.finish(.fulfilled) } }
    return nil
  }

  private func keep(_ job: TestJob) -> Bool {
    blocked.withLock { blocked in
      let mustWait = blocked.contains(job.place)
      if mustWait { blocked.waiting.append(job) }
      return mustWait
    }
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
