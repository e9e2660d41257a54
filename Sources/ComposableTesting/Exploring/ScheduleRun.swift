internal import Dispatch
internal import Synchronization
internal import Testing

/// One run of a test in a chosen order.
///
/// It takes the jobs of the test's executor, and runs them one at a time on the thread of the
/// exploring task.
package final class ScheduleRun: Sendable {
  let state: Mutex<ReadyJobs>
  private let endings = Mutex<ScheduleResult.Ending?>(nil)
  let usesRandomNumbers = Atomic(false)
  private let ownFailures = Mutex<[RunFailure]>([])
  let isTraced: Bool
  private let isReported: Bool
  /// Runs what arrives after the end, on any thread.
  private static let threads = DispatchQueue.global()
  private let late = DispatchQueue(label: "ScheduleRun", target: threads)

  /// - Parameter isReported: Whether issues are reported as usual.
  init(strategy: Strategy, isTraced: Bool, isReported: Bool = true) {
    self.isTraced = isTraced
    self.isReported = isReported
    state = Mutex(ReadyJobs(strategy: strategy, isTraced: isTraced))
  }

  var record: ChoiceRecord { state.withLock { $0.record } }
  var trace: ScheduleTrace? { state.withLock { $0.trace } }
  /// The number of the running job, which is the last chosen one.
  var runningJob: Int? { state.withLock { $0.thread == nil ? nil : $0.record.steps } }
  var outsideCount: Int { state.withLock { $0.outsideCount } }
  var hasUsedRandomNumbers: Bool { usesRandomNumbers.load(ordering: .relaxed) }
}

extension ScheduleRun {
  /// Takes a job of the executor.
  func enqueue(_ job: UnownedJob, isIsolated: Bool, on executor: TestExecutor) {
    let kind = isIsolated ? JobKind.task : JobKind(job)
    let work: ReadyJobs.Work =
      isIsolated ? .isolatedJob(job) : kind == .yield ? .yield(job) : .job(job)
    let task = kind == .task ? TaskID.of(job) : TaskID.current
    let thread = RunningThread.current
    noteName()
    let (isLate, arrival): (Bool, Wait?) = state.withLock { state in
      let isOutside = state.thread != thread
      switch state.phase {
      case .abandoned:
        return (false, nil)
      case .ended where isOutside:
        return (true, nil)
      case .running, .ended, .stopping:
        state.take(work, task: task, kind: kind, isOutside: isOutside)
        return (false, state.arrival.take())
      }
    }
    arrival?.end(.fulfilled)
    if isLate {
      late.async { Self.run(job, isIsolated: isIsolated, on: executor) }
    }
  }

  /// Starts the body of the test, on this thread.
  func start<R>(_ start: () -> R) -> R {
    state.withLock { $0.thread = .current }
    defer { state.withLock { $0.thread = nil } }
    return start()
  }

  /// Runs jobs until the body has ended, or nothing can run.
  func drain(on executor: TestExecutor) -> ReadyJobs.Pause {
    state.withLock { $0.thread = .current }
    defer { state.withLock { $0.thread = nil } }
    while true {
      switch state.withLock({ $0.next() }) {
      case .job(let job): Self.run(job, isIsolated: false, on: executor)
      case .isolatedJob(let job): Self.run(job, isIsolated: true, on: executor)
      case .waitingTask(let task): task.resume(returning: true)
      case .notify(let wait): wait.end(.fulfilled)
      case .pause(let pause): return pause
      }
    }
  }

  private static func run(_ job: UnownedJob, isIsolated: Bool, on executor: TestExecutor) {
    // Sound: the code that drains or runs late jobs retains the executor.
    if isIsolated {
      unsafe job.runSynchronously(
        isolatedTo: executor.asUnownedSerialExecutor(),
        taskExecutor: executor.asUnownedTaskExecutor())
    } else {
      // Without isolation, so that a task needs no turn to leave the isolation of the executor.
      unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor())
    }
  }

  /// Waits until something arrives from elsewhere that can run, or that sleeps or waits here.
  func jobArrives(within limit: Duration, on executor: TestExecutor) async -> Bool {
    let wait = Wait()
    let isIdle = state.withLock { state in
      if state.isIdle { state.arrival = wait }
      return state.isIdle
    }
    if !isIdle { return true }
    let limit = TimeLimit(limit, on: executor)
    let isThere = await limit.outcome(inRealTimeOf: wait) == .fulfilled
    // It may have arrived just when the time was up.
    return isThere || !state.withLock { $0.isIdle }
  }

  /// Times out the first wait that can't be fulfilled.
  func giveUpWaiting() -> Bool {
    let wait = state.withLock { state in
      state.limitedWaits.isEmpty ? nil : state.limitedWaits.removeFirst()
    }
    wait?.end(.timedOut)
    return wait != nil
  }

  /// Records that the body has ended; called by its last job.
  func end(_ ending: ScheduleResult.Ending) {
    endings.withLock { $0 = ending }
    state.withLock { if $0.phase != .abandoned { $0.phase = .ended } }
  }

  /// How the body has ended, if it has.
  var ending: ScheduleResult.Ending? { endings.withLock { $0 } }

  /// Cancels the body, which waits for something that can't happen.
  ///
  /// If it still doesn't end, nothing of it ever runs again.
  func stop(_ body: Task<Void, Never>, on executor: TestExecutor) {
    state.withLock { state in
      state.phase = .stopping
      state.thread = .current
    }
    body.cancel()
    finish(on: executor)
    if isStopping { abandon() }
  }

  private var isStopping: Bool { state.withLock { $0.phase == .stopping } }

  /// Runs what is ready after the end of the body, for a number of steps.
  func finish(on executor: TestExecutor) {
    state.withLock { $0.thread = .current }
    defer { state.withLock { $0.thread = nil } }
    for _ in 0..<1_000 {
      guard let next = state.withLock({ $0.takeRest() }) else { return }
      switch next {
      case .job(let job): Self.run(job, isIsolated: false, on: executor)
      case .isolatedJob(let job): Self.run(job, isIsolated: true, on: executor)
      case .waitingTask(let task): task.resume(returning: true)
      case .notify, .pause: break
      }
    }
    abandon()
  }

  /// Prevents anything of the run from running again.
  func abandon() {
    state.withLock { $0.phase = .abandoned }
  }
}

extension ScheduleRun {
  /// Collects a failure of this module, if it belongs to no test of Swift Testing.
  ///
  /// The handler of issues collects the others.
  ///
  /// - Returns: Whether the failure isn't to be reported.
  func collect(_ failure: RunFailure) -> Bool {
    guard Test.current == nil else { return false }
    ownFailures.withLock { $0.append(failure) }
    return !isReported
  }

  var collected: [RunFailure] { ownFailures.withLock { $0 } }
}

/// Identifies a failure of a run.
struct RunFailure: Hashable, Sendable {
  let kind: String
  let place: String
}
