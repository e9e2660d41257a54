internal import Synchronization

/// Runs the jobs of a test one at a time, in an order that it is given.
///
/// All jobs of a task that prefers this executor run here: after each suspension, for its child
/// tasks, and for the default actors that it calls. So "no job is here" means that each of these
/// tasks has ended, or waits for something else: a clock, another executor, a continuation.
///
/// It is also a serial executor, so that an actor's jobs are in the same order.
package final class TestExecutor: TaskExecutor, SerialExecutor {
  package let order: any JobOrder
  /// The serial executor, if the jobs of actors are to be distinguished.
  private let actors: ActorExecutor?
  /// The number of jobs that have begun or ended; odd while one runs.
  private let turns = Atomic(0)

  package init(order: any JobOrder) {
    self.order = order
    actors = type(of: order).separatesActors ? ActorExecutor() : nil
    unsafe actors?.executor = self
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    if let actors { return unsafe actors.asUnownedSerialExecutor() }
    return unsafe UnownedSerialExecutor(ordinary: self)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    enqueue(TestJob(job: UnownedJob(job), isIsolated: false, effect: nil))
  }

  func enqueue(_ job: TestJob) {
    if order.add(job) { start() }
  }

  /// Begins to run what is next, on a thread of its own.
  package func start() {
    WorkerThreads.shared.run { self.takeTurn() }
  }

  /// The number of steps before other tests that wait for a thread get their turn.
  private static let turn = 64

  private func takeTurn() {
    for _ in 0..<Self.turn {
      guard let step = order.next() else { return }
      perform(step)
    }
    start()
  }

  /// Runs what is next until nothing can run, on this thread.
  package func drain() {
    while let step = order.next() { perform(step) }
  }

  private func perform(_ step: TestStep) {
    switch step {
    case .run(let job):
      // One thread at a time gets here, so there's no need to add atomically.
      let count = turns.load(ordering: .relaxed)
      turns.store(count + 1, ordering: .relaxed)
      run(job)
      turns.store(count + 2, ordering: .relaxed)
    case .call(let function): function()
    }
  }

  /// The number of the running job, if something waits for it to end.
  var runningJob: Int? {
    let count = turns.load(ordering: .relaxed)
    return count.isMultiple(of: 2) || !order.hasWaitingJobs ? nil : count
  }

  // Sound: the executors live as long as the code that runs their jobs.
  private func run(_ job: TestJob) {
    let taskExecutor = unsafe job.effect?.asUnownedTaskExecutor() ?? asUnownedTaskExecutor()
    if job.isIsolated || actors == nil {
      unsafe job.job.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: taskExecutor)
    } else {
      // Without isolation, so that a task needs no turn to leave the isolation of the executor.
      unsafe job.job.runSynchronously(on: taskExecutor)
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
    unsafe executor.enqueue(TestJob(job: UnownedJob(job), isIsolated: true, effect: nil))
  }
}
