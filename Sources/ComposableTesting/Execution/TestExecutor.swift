internal import Synchronization

/// Runs jobs one at a time, in order, and knows when there are none.
///
/// All jobs of a task that prefers this executor run here: after each suspension, for its child
/// tasks, and for the default actors that it calls. So "no job is here" means that each of these
/// tasks has ended, or waits for something else: a clock, another executor, a continuation.
///
/// It is also a serial executor, so that an actor's jobs are in the same order.
///
/// A job that blocks its thread can be abandoned: it continues there, and another thread runs the
/// rest.
package final class TestExecutor: TaskExecutor, SerialExecutor {
  struct Job {
    let job: UnownedJob
    /// The effect that the job belongs to, if any.
    let effect: EffectExecutor?

    /// The address of the task, if the job belongs to one.
    var address: UInt {
      // Sound: a job is one reference, to the task itself if it belongs to one. It is only
      // compared.
      unsafe unsafeBitCast(job, to: UInt.self)
    }
  }

  private struct Running {
    let number: Int
    let address: UInt
    let effect: EffectExecutor?
  }

  private struct State {
    var jobs = Queue<Job>()
    var isRunning = false
    var waits: [Wait] = []

    var running: Running?
    var jobCount = 0
    /// The effect of the last job that belonged to one.
    var lastEffect: EffectExecutor?
    /// The number of the worker that runs the jobs; the others have been abandoned.
    var worker = 0
    /// The jobs that abandoned workers run, until they are reported.
    var abandoned: [Int: Running] = [:]

    mutating func begin(_ job: Job) {
      jobCount += 1
      running = Running(number: jobCount, address: job.address, effect: job.effect)
      if let effect = job.effect { lastEffect = effect }
    }
  }

  private enum Step {
    case run(Job)
    case tell(Wait, Wait.Outcome)
    case stop
  }

  private let state = Mutex(State())

  /// Takes all jobs and chooses their order, while schedules are explored.
  let explored: ScheduleRun?
  private let actors: ExploredActors?

  package convenience init() {
    self.init(exploring: nil)
  }

  init(exploring run: ScheduleRun?) {
    explored = run
    actors = run.map { ExploredActors(run: $0) }
    unsafe actors?.executor = self
    if run == nil { BlockWatch.shared.add(self) }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    if let actors { return unsafe actors.asUnownedSerialExecutor() }
    return unsafe UnownedSerialExecutor(ordinary: self)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    enqueue(Job(job: UnownedJob(job), effect: nil))
  }

  func enqueue(_ job: Job) {
    if let explored { return explored.enqueue(job.job, isIsolated: false, on: self) }
    let worker: Int? = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return state.isRunning ? nil : state.worker
    }
    if let worker { start(worker) }
  }

  private func start(_ worker: Int) {
    WorkerThreads.shared.run { self.run(as: worker) }
  }

  /// The number of jobs to run before other work that waits for a thread gets its turn.
  private static let turn = 64

  private func run(as worker: Int) {
    for _ in 0..<Self.turn {
      let step: Step = state.withLock { state in
        guard state.worker == worker else {
          state.abandoned[worker] = nil
          return .stop
        }
        state.running = nil
        if let job = state.jobs.popFirst() {
          state.begin(job)
          return .run(job)
        }
        // End one wait at a time: the first may bring new jobs, which the next must wait for.
        if !state.waits.isEmpty {
          let outcome = state.abandoned.isEmpty ? Wait.Outcome.fulfilled : .timedOut
          return .tell(state.waits.removeFirst(), outcome)
        }
        state.isRunning = false
        return .stop
      }
      switch step {
      case .run(let job):
        let taskExecutor =
          unsafe job.effect?.asUnownedTaskExecutor() ?? asUnownedTaskExecutor()
        // Sound: the executors live as long as the closure that runs this.
        unsafe job.job.runSynchronously(
          isolatedTo: asUnownedSerialExecutor(), taskExecutor: taskExecutor)
      case .tell(let wait, let outcome):
        wait.end(outcome)
      case .stop:
        return
      }
    }
    start(worker)
  }

  /// Waits until there is no job, or until the time is up.
  ///
  /// Returns immediately if an abandoned job hasn't been reported yet.
  package func idle(within limit: TimeLimit) async -> Wait.Outcome {
    if let explored {
      await explored.idle()
      return .fulfilled
    }
    let wait = Wait()
    let caller = currentTaskAddress
    let outcome: Wait.Outcome? = state.withLock { state in
      // It took long, but blocks nothing.
      if let own = state.abandoned.first(where: { $0.value.address == caller }) {
        state.abandoned[own.key] = nil
      }
      if !state.abandoned.isEmpty { return .timedOut }
      if state.isRunning { state.waits.append(wait) }
      return state.isRunning ? nil : .fulfilled
    }
    if let outcome { return outcome }
    return await limit.outcome(of: wait)
  }

  package func idle(within limit: Duration) async -> Wait.Outcome {
    await idle(within: TimeLimit(limit, on: self))
  }
}

extension TestExecutor: JobRunner {
  var runningJob: Int? { state.withLock { $0.running?.number } }

  /// Whether something may be waiting for the running job to end.
  var isWaitedFor: Bool {
    state.withLock { state in
      !state.jobs.isEmpty || !state.waits.isEmpty || state.running?.effect != nil
    }
  }

  /// Abandons the job, if something may be waiting for its end.
  func didBlock(_ job: Int) {
    if isWaitedFor { forget(nil, abandoning: job) }
  }

  /// The number of jobs that have run, if there is none to run.
  var jobCountIfIdle: Int? { state.withLock { $0.isRunning ? nil : $0.jobCount } }

  var hasAbandonedJobs: Bool { state.withLock { !$0.abandoned.isEmpty } }

  /// Lets another thread run the jobs after a given one, if that one is still running.
  ///
  /// - Parameters:
  ///   - wait: Stops waiting for the executor to be idle.
  ///   - number: The job that blocks its thread, if there is one.
  func forget(_ wait: Wait?, abandoning number: Int?) {
    let (effect, worker): (EffectExecutor?, Int?) = state.withLock { state in
      state.waits.removeAll { $0 === wait }
      guard let running = state.running, running.number == number else { return (nil, nil) }
      state.abandoned[state.worker] = running
      state.running = nil
      state.worker += 1
      return (running.effect, state.worker)
    }
    guard let worker else { return }
    // Do this first: when others run again, its log may forget the effect.
    if let effect { effect.log?.abandon(effect.effect) }
    WorkerThreads.shared.replaceThread()
    start(worker)
  }

  enum Unrest {
    /// Effects that block their threads; `nil` stands for other jobs.
    case blocked([EffectExecutor?])
    /// Jobs that never settle, some of which may belong to an effect.
    case busy(EffectExecutor?)
  }

  /// Returns the reason why the executor isn't idle.
  ///
  /// Each abandoned job is reported once.
  func takeUnrest() -> Unrest {
    let (abandoned, lastEffect) = state.withLock { state in
      defer { state.abandoned = [:] }
      return (state.abandoned.sorted { $0.key < $1.key }.map(\.value.effect), state.lastEffect)
    }
    return abandoned.isEmpty ? .busy(lastEffect) : .blocked(abandoned)
  }
}
