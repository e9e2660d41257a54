internal import Dispatch
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
  package let order: JobOrder
  private let actors = ActorExecutor()
  /// The test's own task; `UInt64.max` if the executor isn't a whole test's, and 0 if the task hasn't
  /// started.
  private let root: Atomic<UInt64>
  /// Takes the place of the main actor's executor while a job of the test asks for that.
  let mainActor = MainActorStandIn.take()
  /// The number of jobs so far.
  private let jobCount = Atomic(0)
  /// The number of the running job; 0 if none runs.
  private let running = Atomic(0)
  /// The task on whose thread the jobs run, if any, which isn't one of the test.
  private let host = Atomic<UInt64>(0)
  /// Whether an actor's turn ends after the running task.
  private let endsTurn = Atomic(false)
  /// Whether the running job is calling the order.
  private let isAsking = Atomic(false)
  /// Whether an actor's turn is ending.
  private let isEndingTurn = Atomic(false)

  /// - Parameter root: The test's own task, if the executor is a whole test's; 0 for the task of the
  ///   first job.
  package init(order: JobOrder, root: UInt64? = nil) {
    self.order = order
    self.root = Atomic(root ?? .max)
    // Sound: nothing else knows it yet.
    unsafe actors.executor = self
    mainActor.serve(self)
    if root != nil { RuntimeHooks.install() }
  }

  deinit {
    RunningExecutors.shared.releaseTasks(of: self)
    mainActor.putBack()
  }

  /// Whether a task without an executor of its own, which a job here starts or resumes, belongs to
  /// the test.
  func owns(_ task: UInt64) -> Bool { task > root.load(ordering: .relaxed) }

  /// Whether a task is older than the test's own.
  func isNewer(than task: UInt64) -> Bool { task < root.load(ordering: .relaxed) }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    // Sound: this owns `actors`, and tasks retain their executor.
    unsafe actors.asUnownedSerialExecutor()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    enqueue(TestJob(job: UnownedJob(job), place: .nonisolated))
  }

  /// Creates the executor of an effect whose jobs run here.
  ///
  /// - Parameter description: Describes the effect for a message; `nil` if it has ended.
  package func makeEffectExecutor(
    description: @escaping @Sendable () -> String?
  ) -> EffectExecutor {
    EffectExecutor(passingTo: { self.enqueue($0) }, description: description)
  }

  func enqueue(_ job: TestJob) {
    if root.load(ordering: .relaxed) == 0 { root.store(job.task, ordering: .relaxed) }
    if RunningExecutors.shared.current !== self {
      if order.add(job, isOutside: true) { start() }
      return
    }
    var job = job
    let actor = currentDefaultActor
    job.origin = runningTask
    job.isTurnEnd = isEndingTurn.load(ordering: .relaxed)
    job.isNextTurn = actor != nil && job.actor == actor
    let leaves = job.isNextTurn && !job.isTurnEnd
    // In a cancellation handler, the cancelled task would wait for the thread that waits for it.
    let isLocked = job.job.isLocked
    if leaves, endsTurn.load(ordering: .relaxed) {
      // The running task leaves the actor. This lets go of the actor, or adds a job for its next turn.
      run(job, at: .nonisolated)
      endsTurn.store(false, ordering: .relaxed)
    } else {
      _ = asking { order.add(job, isOutside: false) }
    }
    if isLocked { return }
    let pause = asking { order.state.withLock { $0.overtake(on: actor, leaves: leaves) } }
    if let pause { wait(for: pause) }
  }

  /// Ends an actor's turn when the running task leaves the actor, on the same thread.
  func willRelease(_ actor: UInt) {
    guard !isAsking.load(ordering: .relaxed) else { return }
    asking {
      if isEndingTurn.load(ordering: .relaxed) { return }
      let task = runningTask
      order.state.withLock { $0.didVisit(actor, by: task) }
      if task != 0 { endTurn() }
    }
  }

  /// Lets others overtake the next of the tasks that run on an actor in one job.
  ///
  /// - Parameter task: The task that the runtime acquires: the next one, if none is running.
  func willAcquire(_ task: UnownedJob, on actor: UInt) {
    guard !isAsking.load(ordering: .relaxed) else { return }
    let pause: DispatchSemaphore? = asking {
      // Without a running task, the runtime acquires a task that it is about to run, or that waits for one
      // that ends.
      if isEndingTurn.load(ordering: .relaxed) || runningTask != 0 { return nil }
      guard task.isEnqueued, task.priority != TurnEnd.priority else { return nil }
      return order.state.withLock { $0.begin(TaskID.of(task), on: actor) }
    }
    if let pause { wait(for: pause) }
  }

  /// The task that runs on this thread; 0 if it has let go of the thread, or ended.
  var runningTask: UInt64 {
    let task = TaskID.current
    return task == host.load(ordering: .relaxed) ? 0 : task
  }

  /// Keeps a task that becomes ready here, or starts immediately, so that it stays in the test.
  ///
  /// The runtime calls the hook for jobs only where a task has no executor, not even an actor.
  ///
  /// Nothing here keeps a task itself: that of an `async let` is freed by its parent, which may be another
  /// test's.
  func adopt(_ job: UnownedJob) {
    // What ends an actor's turn isn't a task of the test.
    guard !isAsking.load(ordering: .relaxed) else { return }
    let (task, running) = (TaskID.of(job), runningTask)
    let prefers = job.prefersExecutor && task != running
    let isOwn = owns(task) && (prefers || RunningExecutors.shared.owner(of: job) === self)
    guard order.isExplored else { return }
    order.state.withLock { state in
      if running == 0 { state.willWait(task) }
      if isOwn, !prefers || state.knows(running) { state.meet(task) }
    }
  }

  /// Calls a function, during which the runtime may acquire and release objects of its own.
  private func asking<R>(_ function: () -> R) -> R {
    isAsking.store(true, ordering: .relaxed)
    defer { isAsking.store(false, ordering: .relaxed) }
    return function()
  }

  /// Lets another thread run what is next, until this thread's job goes on.
  private func wait(for pause: DispatchSemaphore) {
    // Exchanged, so that the job can't be found to block its thread meanwhile, and then be restored.
    let job = running.exchange(0, ordering: .relaxed)
    let (endsTurn, host) = (endsTurn.load(ordering: .relaxed), host.load(ordering: .relaxed))
    start()
    WorkerThreads.shared.didBlock()
    pause.wait()
    WorkerThreads.shared.didUnblock()
    running.store(job, ordering: .relaxed)
    self.endsTurn.store(endsTurn, ordering: .relaxed)
    self.host.store(host, ordering: .relaxed)
  }

  /// Ends the turn of the running job's actor, so that leaving the actor makes a job ready.
  private func endTurn() {
    guard !endsTurn.load(ordering: .relaxed) else { return }
    let endsTurn = TurnEnd.schedule(
      willLeave: { self.isEndingTurn.store(true, ordering: .relaxed) },
      didLeave: { self.isEndingTurn.store(false, ordering: .relaxed) })
    self.endsTurn.store(endsTurn, ordering: .relaxed)
  }

  /// Begins to run what is next, on a thread of its own.
  func start() {
    WorkerThreads.shared.run { self.takeTurn() }
  }

  /// The number of steps before other tests that wait for a thread get their turn.
  private static let turn = 1_000

  /// Runs what is next on this thread: jobs of the main actor, or others.
  private func takeTurn(_ first: TestStep? = nil, isOnMainActor: Bool = false) {
    let next: TestStep? = asRunning {
      var next = first ?? order.next()
      for _ in 0..<Self.turn {
        guard let step = next, step.isOnMainActor ?? isOnMainActor == isOnMainActor else { break }
        guard perform(step) else { return nil }
        next = order.next()
      }
      return next
    }
    guard let next else { return }
    if next.isOnMainActor ?? isOnMainActor {
      Task.detached { @MainActor in self.takeTurn(next, isOnMainActor: true) }
    } else {
      WorkerThreads.shared.run { self.takeTurn(next) }
    }
  }

  /// Calls a function as a part of the running job.
  package func asRunning<R>(_ function: () -> R) -> R {
    host.store(TaskID.current, ordering: .relaxed)
    return RunningExecutors.shared.with(
      root.load(ordering: .relaxed) == .max ? nil : self, function)
  }

  /// - Returns: Whether this thread still runs what is next.
  private func perform(_ step: TestStep) -> Bool {
    switch step {
    case .run(let job):
      let number = jobCount.wrappingAdd(1, ordering: .relaxed).newValue
      running.store(number, ordering: .relaxed)
      endsTurn.store(false, ordering: .relaxed)
      run(job, at: job.place)
      if noteEnd(of: number) { return true }
      WorkerThreads.shared.didUnblock()
      return order.state.withLock { $0.didUnblock() }
    case .call(let function):
      function()
      return true
    case .resume(let pause):
      pause.signal()
      return false
    }
  }

  // Sound: the executors live as long as the code that runs their jobs.
  private func run(_ job: TestJob, at place: TestJob.Place) {
    let actor =
      switch place {
      case .nonisolated: unsafe UnownedSerialExecutor.nonisolated
      case .executor: unsafe asUnownedSerialExecutor()
      case .mainActor: unsafe mainActor.asUnownedSerialExecutor()
      }
    // Sound, as above. With another task executor than its own, the task would become ready again before it
    // runs.
    let taskExecutor =
      job.kind == .task && !job.prefersExecutor
      ? unsafe UnownedTaskExecutor.none
      : unsafe job.effect?.asUnownedTaskExecutor() ?? asUnownedTaskExecutor()
    unsafe job.job.runSynchronously(isolatedTo: actor, taskExecutor: taskExecutor)
  }

  // MARK: - Jobs that block their threads

  private let hasBlocked = Atomic(false)

  /// Whether a job has blocked its thread for long, although no other was overtaken.
  var hasBlockedJobs: Bool { hasBlocked.load(ordering: .relaxed) }

  /// Identifies the running job, if something waits for it to end.
  var runningJob: Int? {
    let job = running.load(ordering: .relaxed)
    return job == 0 || order.state.withLock({ $0.isIdle }) ? nil : job
  }

  /// Records that a job has blocked its thread for long, unless it has ended.
  ///
  /// In a schedule, it may be waiting for what an overtaken job has locked. So overtaken jobs go on
  /// beside it, and nothing else runs before it ends.
  ///
  /// - Returns: Whether there is an overtaken job.
  func noteBlocked(_ job: Int) -> Bool {
    guard order.isExplored else { return false }
    // In one step, so that the job's end comes after it.
    let isExcused = order.state.withLock { noteEnd(of: job) ? $0.didBlock() : nil }
    guard let isExcused else { return false }
    if !isExcused { hasBlocked.store(true, ordering: .relaxed) }
    start()
    WorkerThreads.shared.didBlock()
    return isExcused
  }

  /// Records that a job no longer keeps the others from running.
  ///
  /// - Returns: Whether it did.
  private func noteEnd(of job: Int) -> Bool {
    running.compareExchange(expected: job, desired: 0, ordering: .relaxed).exchanged
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
///
/// A task that is suspended on the main actor knows its executor, but doesn't retain it. So a stand-in is
/// never freed: when its test has ended, it serves another one, to which older tasks don't belong.
final class MainActorStandIn: SerialExecutor {
  private struct Owner {
    weak var executor: TestExecutor?
  }

  private let owner = Mutex(Owner())
  private static let unused = Mutex<[MainActorStandIn]>([])

  private init() {}

  /// Takes a stand-in that no test uses.
  static func take() -> MainActorStandIn {
    if let standIn = unused.withLock({ $0.popLast() }) { return standIn }
    let standIn = MainActorStandIn()
    // Sound: it's never freed.
    _ = unsafe Unmanaged.passRetained(standIn)
    return standIn
  }

  func serve(_ executor: TestExecutor) { owner.withLock { $0.executor = executor } }

  func putBack() { Self.unused.withLock { $0.append(self) } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard let executor = owner.withLock({ $0.executor }), !executor.isNewer(than: TaskID.of(job))
    else {
      return MainActor.shared.enqueue(job)
    }
    executor.enqueue(TestJob(job: job, place: .mainActor))
  }

  /// Checks code that runs on the main queue without being one of its jobs, as in `main.sync`.
  func checkIsolated() {
    RunningExecutors.shared.with(nil) { MainActor.preconditionIsolated() }
  }
}
