package import Synchronization
package import Testing

/// The order in which the jobs of a test run.
///
/// Its ``ReadyJobs`` decide. The functions here lock them, capture what a record needs, and finish waits
/// afterwards.
///
/// A test that isn't explored has the plain order: first in, first out. When nothing can run, it waits in
/// real time.
///
/// Each schedule of an explored test has an order of its own, which chooses what runs next. It runs when
/// the exploring task says so, and its time is virtual.
package final class JobOrder: Sendable {
  /// What a schedule records.
  package enum Tracing: Sendable {
    case nothing
    /// What runs when.
    case steps
    /// What runs when, and where in the source, for which each step takes longer.
    case places
  }

  /// Whether this is one of a test's schedules.
  package let isExplored: Bool
  package let isTraced: Bool
  /// The seed of a schedule's random numbers.
  package let seed: UInt64
  package let usesRandomNumbers = Atomic(false)
  /// Whether places are known in which nobody is overtaken, because a lock is held there.
  let hasLocks: Bool
  /// The processor time, or the time of sleep, after which others go on beside a job that holds its thread.
  ///
  /// While other threads run, a sleep may last longer: one of these may be about to wake the thread.
  let threadLimit: Duration
  package static let usualThreadLimit = Duration.milliseconds(100)
  /// The place of the test, for messages.
  package let place: SourceLocation
  /// The number of jobs for which the order still captures where they became ready.
  private let capturesLeft: Atomic<Int>
  /// The most jobs whose places a record of the order has.
  private static let mostCaptures = 2_000
  /// What the order can learn of its tasks.
  package let sight: RuntimeSight
  // The last one, because its size changes often, and SwiftPM doesn't rebuild who reads the others.
  let state: Mutex<ReadyJobs>

  /// Creates a schedule, or the plain order of a test that isn't explored.
  ///
  /// - Parameters:
  ///   - strategy: How a schedule chooses; `nil` in a test that isn't explored.
  ///   - locks: The places in which nobody is overtaken, because a lock is held there.
  package init(
    strategy: (any Strategy)?, seed: UInt64 = 0, tracing: Tracing = .nothing,
    locks: Set<Int> = [], threadLimit: Duration = usualThreadLimit,
    sight: RuntimeSight = .ofProcess, at place: SourceLocation = #_sourceLocation
  ) {
    (isExplored, isTraced) = (strategy != nil, tracing != .nothing)
    (self.seed, self.threadLimit, self.sight, self.place) = (seed, threadLimit, sight, place)
    hasLocks = !locks.isEmpty
    capturesLeft = Atomic(tracing == .places ? Self.mostCaptures : 0)
    state = Mutex(
      ReadyJobs(
        strategy: strategy, isTraced: isTraced, locks: locks, mayOvertake: sight.words))
  }

  /// Creates the plain order of a test that isn't explored.
  ///
  /// - Parameter isWhole: Whether all tasks that the test starts run in this order.
  package convenience init(
    isWhole: Bool = false, sight: RuntimeSight? = nil,
    at place: SourceLocation = #_sourceLocation
  ) {
    self.init(
      strategy: nil, tracing: isWhole ? .steps : .nothing,
      sight: sight ?? (isWhole ? .ofProcess : RuntimeSight()), at: place)
  }

  /// Records the name of the running task.
  func noteName() {
    guard isTraced, let name = TaskID.currentName, !name.isEmpty else { return }
    let task = TaskID.current
    state.withLock { $0.trace?.name(task, name) }
  }

  /// Captures where the running task is, if that is recorded.
  func captureStack() -> SourceStack? {
    guard capturesLeft.load(ordering: .relaxed) > 0 else { return nil }
    capturesLeft.subtract(1, ordering: .relaxed)
    return SourceStack.capture()
  }
}

/// What a test's executor asks, and says.
extension JobOrder {
  /// Takes a job.
  ///
  /// - Parameter thread: The thread that makes it ready, if that runs jobs of the test.
  /// - Returns: Whether the executor must begin to run what is next, on a thread of its own.
  func add(_ job: TestJob, by thread: JobThread?) -> Bool {
    noteName()
    let stack = thread == nil ? nil : captureStack()
    let (mustStart, arrival): (Bool, Wait?) = state.withLock { state in
      state.take(job, isOutside: thread.map { !state.isRunning($0.job) } ?? true, at: stack)
      return (state.claimThread(), state.waits.arrival.take())
    }
    arrival?.finish(.fulfilled)
    return mustStart
  }

  /// Removes what a thread runs next; `nil` if nothing can run, or if another one runs what is next.
  func next(on thread: JobThread) -> TestStep? {
    let (step, pause, arrival, wasAway): (TestStep?, Wait?, Wait?, Bool) = state.withLock { state in
      // What keeps running is seen again in these jobs.
      if state.waits.isAboutToGiveUp { capturesLeft.store(Waits.lastJobs, ordering: .relaxed) }
      let wasAway = !state.isRunning(thread.job)
      if wasAway, !state.comeBack(thread.job!) {
        return (nil, nil, state.waits.arrival.take(), true)
      }
      let step = state.next()
      thread.job = state.running.job
      // Where the job runs on another thread, that isn't known yet.
      state.running.thread =
        switch step {
        case nil, .resume: nil
        case .run, .call: thread.watched
        }
      return (step, step == nil ? state.waits.pausing.take() : nil, nil, wasAway)
    }
    if wasAway { WorkerThreads.shared.didUnblock() }
    arrival?.finish(.fulfilled)
    // What waits for the pause isn't a part of the test.
    if let pause { RunningExecutors.shared.with(nil) { pause.finish(.fulfilled) } }
    return step
  }

  /// Records that a thread runs what another one has chosen.
  func goOn(on thread: JobThread) {
    state.withLock { state in
      thread.job = state.running.job
      state.running.thread = thread.watched
    }
  }

  /// Adds a note about the running job to the record of the order, if there is one.
  package func note(_ text: @autoclosure () -> String) {
    guard isTraced else { return }
    let text = text()
    state.withLock { $0.trace?.note(text) }
  }

  /// Announces the origin of the next task to start, if there is a record of the order.
  func announceTask(_ origin: () -> String) {
    guard isTraced else { return }
    let origin = origin()
    state.withLock { $0.trace?.announce(origin) }
  }
}
