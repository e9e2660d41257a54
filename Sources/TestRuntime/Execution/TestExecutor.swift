internal import ComposableDependencies
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
package final class TestExecutor: TestTaskExecutor, SerialExecutor {
  package let order: JobOrder
  private let actors = ActorExecutor()
  /// Whether tasks without an executor of their own can belong to the test.
  private let isWhole: Bool
  /// The test's own task; 0 if it isn't known, or hasn't started.
  private let root: Atomic<UInt64>
  /// Takes the place of the main actor's executor while a job of the test asks for that.
  let mainActor = MainActorStandIn.take()

  /// - Parameter root: The test's own task, if the executor is a whole test's; 0 for the task of the
  ///   first job.
  package init(order: JobOrder, root: UInt64? = nil) {
    self.order = order
    isWhole = root != nil && order.sight.unstructuredTasks
    self.root = Atomic(root ?? 0)
    // Sound: nothing else knows it yet.
    unsafe actors.executor = self
    mainActor.serve(self)
    if root != nil { RuntimeHooks.install(for: RunningExecutors.shared) }
  }

  deinit {
    RunningExecutors.shared.releaseTasks(of: self)
    mainActor.putBack()
  }

  /// Whether a task without an executor of its own, which a job here starts or resumes, belongs to
  /// the test.
  func owns(_ task: UInt64) -> Bool { isWhole && task > root.load(ordering: .relaxed) }

  /// Whether the main actor's stand-in passes on the job of a task, which isn't the test's.
  ///
  /// - Parameter newest: The newest task that the stand-in had before the test. The test's own may be older.
  func passesOn(_ task: UInt64, newestBefore newest: UInt64) -> Bool {
    let root = root.load(ordering: .relaxed)
    return !isWhole || root == 0 || task < root || task != root && task <= newest
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    // Sound: this owns `actors`, and tasks retain their executor.
    unsafe actors.asUnownedSerialExecutor()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    enqueue(TestJob(job: UnownedJob(job), place: .nonisolated))
  }

  package func announceTask(_ origin: @autoclosure () -> String) {
    // Elsewhere, the task isn't the next one of the test.
    if RunningExecutors.shared.current === self { order.announceTask(origin) }
  }

  package func enqueue(_ job: TestJob) {
    if root.load(ordering: .relaxed) == 0 { root.store(job.task, ordering: .relaxed) }
    guard let thread = RunningExecutors.shared.thread, thread.executor === self else {
      if order.add(job, by: nil) { start() }
      return
    }
    var job = job
    let actor = currentDefaultActor
    job.origin = thread.runningTask
    job.isTurnEnd = thread.isEndingActor
    job.isNextTurn = actor != nil && job.actor == actor
    let leaves = job.isNextTurn && !job.isTurnEnd
    // In a cancellation handler, the cancelled task would wait for the thread that waits for it.
    let isLocked = job.job.isLocked
    if leaves, thread.endsActor {
      // The running task leaves the actor. This lets go of the actor, or adds a job for its next turn.
      run(job, at: .nonisolated)
      thread.endsActor = false
    } else if thread.asking({ order.add(job, by: thread) }) {
      start()
    }
    if !isLocked { overtake(thread, on: actor, leaves: leaves) }
  }

  /// Ends an actor's turn when the running task leaves the actor, on the same thread.
  func willRelease(_ actor: UInt, on thread: JobThread) {
    guard !thread.isAsking else { return }
    thread.asking {
      if thread.isEndingActor { return }
      let task = thread.runningTask
      let isHere = order.state.withLock { state in
        guard state.isRunning(thread.job) else { return false }
        state.didVisit(actor, by: task)
        return true
      }
      if isHere, task != 0 { endTurn(of: thread) }
    }
  }

  /// Lets others overtake the next of the tasks that run on an actor in one job.
  ///
  /// - Parameter task: The task that the runtime acquires: the next one, if none is running.
  func willAcquire(_ task: UnownedJob, on actor: UInt, on thread: JobThread) {
    guard !thread.isAsking else { return }
    let overtaken: OvertakenJob? = thread.asking {
      // Without a running task, the runtime acquires a task that it is about to run, or that waits for one
      // that ends.
      if thread.isEndingActor || thread.runningTask != 0 { return nil }
      guard task.isEnqueued, !TurnEnd.isOne(TaskID.of(task)) else { return nil }
      let id = TaskID.of(task)
      let (overtaken, isForeign): (OvertakenJob?, Bool) = order.state.withLock { state in
        // What ends a turn comes after it.
        if task.priority.rawValue >= TurnEnd.priority { state.findings.isLimited = true }
        guard state.isRunning(thread.job) else { return (nil, false) }
        let isForeign = state.isForeign(id)
        return (state.begin(id, on: actor), isForeign)
      }
      if isForeign { noteForeign(id) }
      return overtaken
    }
    if let overtaken { wait(for: overtaken, on: thread) }
  }

  /// Records that a task of another test runs on an actor that both tests use.
  private func noteForeign(_ task: UInt64) {
    // Where no report needs its name, this doesn't look for the test.
    let owner = (order.isTraced ? JobWatch.shared.executors : []).first { executor in
      executor !== self && executor.order.state.withLock { $0.knows(task) }
    }
    let name = owner.map { "the test at \($0.order.place)" } ?? "another test"
    order.state.withLock { $0.noteDeparture("lets a task of \(name) use the same actor") }
  }

  /// Keeps a task that becomes ready here, or starts immediately, so that it stays in the test.
  ///
  /// The runtime calls the hook for jobs only where a task has no executor, not even an actor.
  ///
  /// Nothing here keeps a task itself: that of an `async let` is freed by its parent, which may be another
  /// test's.
  func adopt(_ job: UnownedJob, on thread: JobThread) {
    // What ends an actor's turn isn't a task of the test.
    guard !thread.isAsking else { return }
    let (task, running) = (TaskID.of(job), thread.runningTask)
    let prefers = job.prefersExecutor && task != running
    let isOwn = owns(task) && (prefers || RunningExecutors.shared.owner(of: job) === self)
    guard order.isExplored || task == running else { return }
    order.state.withLock { state in
      guard state.isRunning(thread.job) else { return }
      if running == 0 { state.running.willWait(task) }
      if isOwn, !prefers || state.knows(running) { state.meet(task) }
      if isOwn, task == running { state.beginImmediate(task) }
    }
  }

  /// Lets others overtake the running job, if the schedule says so, and if it is known to hold no lock here.
  private func overtake(_ thread: JobThread, on actor: UInt?, leaves: Bool) {
    var overtaken: OvertakenJob?
    repeat {
      // Captured by the same call before and after, so that the stacks of one place are the same. While a task
      // leaves an actor, it holds no lock.
      let isAsked = overtaken != nil || !leaves && order.hasLocks
      let stack = isAsked ? thread.asking { SourceStack.capture() } : nil
      overtaken = thread.asking {
        order.state.withLock { state in
          guard state.isRunning(thread.job) else { return nil }
          if overtaken == nil { return state.overtake(on: actor, leaves: leaves, at: stack?.id) }
          state.away.suspect(stack)
          return nil
        }
      }
      if let overtaken { wait(for: overtaken, on: thread) }
    } while overtaken?.isSuspected == true
  }

  /// Lets another thread run what is next, until this thread's job goes on.
  private func wait(for overtaken: OvertakenJob, on thread: JobThread) {
    start()
    WorkerThreads.shared.didBlock()
    overtaken.wait()
    WorkerThreads.shared.didUnblock()
    order.state.withLock { $0.running.thread = thread.watched }
  }

  /// Ends the turn of the running job's actor, so that leaving the actor makes a job ready.
  private func endTurn(of thread: JobThread) {
    guard !thread.endsActor else { return }
    thread.endsActor = TurnEnd.schedule(
      willLeave: { thread.isEndingActor = true }, didLeave: { thread.isEndingActor = false })
  }

  /// Begins to run what is next, on a thread of its own.
  func start() {
    WorkerThreads.shared.run { self.runSteps() }
  }

  /// The number of steps before other tests that wait for a thread get one.
  private static let stepsInARow = 1_000

  /// Runs what is next on this thread: jobs of the main actor, or others.
  private func runSteps(_ first: TestStep? = nil, isOnMainActor: Bool = false) {
    let thread = JobThread(of: isWhole ? self : nil)
    let next: TestStep? = RunningExecutors.shared.with(thread) {
      var next = first
      if first == nil { next = order.next(on: thread) } else { order.goOn(on: thread) }
      for _ in 0..<Self.stepsInARow {
        guard let step = next, step.isOnMainActor ?? isOnMainActor == isOnMainActor else { break }
        guard perform(step, on: thread) else { return nil }
        next = order.next(on: thread)
      }
      return next
    }
    guard let next else { return }
    // No thread runs it yet.
    order.state.withLock { $0.running.thread = nil }
    if next.isOnMainActor ?? isOnMainActor {
      Task.detached { @MainActor in self.runSteps(next, isOnMainActor: true) }
    } else {
      WorkerThreads.shared.run { self.runSteps(next) }
    }
  }

  /// Calls a function as a part of the running job.
  package func asRunning<R>(_ function: () -> R) -> R {
    RunningExecutors.shared.with(isWhole ? self : nil, function)
  }

  /// - Returns: Whether this thread still runs what is next.
  private func perform(_ step: TestStep, on thread: JobThread) -> Bool {
    switch step {
    case .run(let job):
      thread.endsActor = false
      run(job, at: job.place)
      putBackHooks()
      return true
    case .call(let function):
      function()
      return true
    case .resume(let overtaken):
      overtaken.resume()
      return false
    }
  }

  /// Puts hooks back that another library has replaced during a job.
  private func putBackHooks() {
    guard RuntimeHooks.areReplaced else { return }
    RuntimeHooks.install()
    // Otherwise, they were back before a task became ready.
    if order.sight.actorTurns || !order.sight.unstructuredTasks { return }
    order.state.withLock { $0.noteDeparture("lets another library replace a hook of the runtime") }
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
      job.kind == .task && !job.job.prefersExecutor
      ? unsafe UnownedTaskExecutor.none
      : unsafe job.effect?.asUnownedTaskExecutor() ?? asUnownedTaskExecutor()
    unsafe job.job.runSynchronously(isolatedTo: actor, taskExecutor: taskExecutor)
  }

  /// Lets others go on, because a job holds its thread.
  ///
  /// - Parameter sleep: What its thread does, if it sleeps.
  func leave(_ job: Int, sleep: WatchedThread.Sample? = nil) {
    guard order.state.withLock({ $0.leave(job, sleep: sleep) }) else { return }
    start()
    WorkerThreads.shared.didBlock()
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
