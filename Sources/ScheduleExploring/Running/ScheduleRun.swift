package import Dispatch
internal import ComposableDependencies
internal import StandardDependencies
internal import Synchronization
internal import TestClocks
package import TestRuntime
internal import Testing

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One run of a test in a chosen order.
///
/// The exploring task runs the jobs, one at a time on its thread. What is left after the run goes on
/// on other threads, in order.
package final class ScheduleRun: Sendable {
  let state: Mutex<ReadyJobs>
  private let usesRandomNumbers = Atomic(false)
  private let ownFailures = Mutex<[RunFailure]>([])
  let isTraced: Bool
  private let isReported: Bool
  /// The seed of the run's random numbers.
  let seed: UInt64
  /// The place of the test.
  let place: String

  /// - Parameter isReported: Whether issues are reported as usual.
  init(
    strategy: any Strategy, seed: UInt64 = 0, isTraced: Bool, isReported: Bool = true,
    mayOvertake: Bool = true, at place: String = ""
  ) {
    self.seed = seed
    self.place = place
    self.isTraced = isTraced
    self.isReported = isReported
    state = Mutex(ReadyJobs(strategy: strategy, isTraced: isTraced, mayOvertake: mayOvertake))
  }

  /// The run of the schedule that the current scope was created for, or nothing.
  static var current: ScheduleRun? { DependencyScope.current.scheduleRun }

  /// The run whose job this thread runs, or nothing.
  static var onThread: ScheduleRun? { RunningExecutors.shared.current?.order as? ScheduleRun }

  /// The choices so far, of which those at boundaries that nobody noticed count for nothing.
  var record: ChoiceRecord { state.withLock { $0.recordOfNoticedChoices } }
  var trace: ScheduleTrace? { state.withLock { $0.trace } }
  /// The number of tasks that left the executor, as far as that is known.
  ///
  /// Some are seen only when they leave, and some only when they come back.
  var outsideCount: Int { state.withLock { max($0.arrivalCount, $0.departureCount) } }
  var overtaking: ReadyJobs.Overtaking { state.withLock { $0.overtaking } }
  var hasUsedRandomNumbers: Bool { usesRandomNumbers.load(ordering: .relaxed) }
}

/// The parts of a run, called by the exploring task.
extension ScheduleRun {
  /// Runs jobs until the body and what it has left behind have ended, or nothing can run.
  func drain(on executor: TestExecutor) async -> ReadyJobs.Pause {
    let wait = Wait()
    let begins = state.withLock { state in
      state.pausing = wait
      return state.begin()
    }
    if begins { await executor.drain() }
    _ = await wait.outcome()
    return state.withLock { $0.pause }
  }

  /// Waits for a job from elsewhere, or for a task there that begins to sleep or to wait.
  func jobArrives(within limit: Duration) async -> Bool {
    let wait = Wait()
    let isIdle = state.withLock { state in
      if state.isIdle { state.arrival = wait }
      return state.isIdle
    }
    if !isIdle || limit == .zero { return !isIdle }
    let isThere = await Countdown(limit).outcome(of: wait) == .fulfilled
    // It may have arrived just when the time was up.
    return isThere || !state.withLock { $0.isIdle }
  }

  /// Times out the first wait that can't be fulfilled.
  func giveUpWaiting() -> Bool {
    let wait = state.withLock { state in
      state.limitedWaits.isEmpty ? nil : state.limitedWaits.removeFirst()
    }
    wait?.finish(.timedOut)
    return wait != nil
  }

  /// Records that the body has ended; called by its last job.
  func end(_ ending: ScheduleEnding) {
    state.withLock { $0.endBody(ending) }
  }

  /// How the body has ended, if it has.
  var ending: ScheduleEnding? { state.withLock { $0.ending } }

  /// Cancels the body, which waits for something that can't happen.
  ///
  /// - Returns: Whether it has ended. If it hasn't, it rests until ``end(on:)``.
  func stop(_ body: Task<Void, Never>, on executor: TestExecutor) async -> Bool {
    state.withLock { $0.beginStopping() }
    executor.asRunning { body.cancel() }
    _ = await drain(on: executor)
    guard ending != nil else {
      state.withLock { $0.phase = .resting }
      RunningExecutors.shared.releaseTasks(of: executor)
      return false
    }
    end(on: executor)
    return true
  }

  /// Lets everything that is left run on other threads, and cancels all sleeps.
  func end(on executor: TestExecutor) {
    let (sleepers, waits) = state.withLock { state in
      state.phase = .over
      defer { (state.idleWaits, state.limitedWaits) = ([], []) }
      return (state.sleepers.removeAll(), state.idleWaits + state.limitedWaits)
    }
    RunningExecutors.shared.releaseTasks(of: executor)
    for sleeper in sleepers { sleeper.sleep.waitingTask.resume(returning: false) }
    for wait in waits { wait.finish(.timedOut) }
    if state.withLock({ $0.begin() }) { executor.start() }
  }
}

extension ScheduleRun: JobOrder {
  package static let isExplored = true

  package func add(_ job: TestJob, isOutside: Bool) -> Bool {
    noteName()
    let (mustStart, arrival): (Bool, Wait?) = state.withLock { state in
      state.take(job, isOutside: isOutside)
      return (state.begin(), state.arrival.take())
    }
    arrival?.finish(.fulfilled)
    return mustStart
  }

  package func noteDeparture(_ text: String) {
    state.withLock { $0.noteDeparture(text) }
  }

  package func next() -> TestStep? {
    let (step, pause): (TestStep?, Wait?) = state.withLock { state in
      let step = state.next()
      return (step, step == nil && !state.isBlocked ? state.pausing.take() : nil)
    }
    // What waits for the pause isn't a part of the test.
    if let pause { RunningExecutors.shared.with(nil) { pause.finish(.fulfilled) } }
    return step
  }

  package func didBlock() -> Bool { state.withLock { $0.didBlock() } }
  package func didUnblock() -> Bool { state.withLock { $0.didUnblock() } }

  package func didVisit(_ actor: UInt, by task: UInt64) {
    state.withLock { $0.didVisit(actor, by: task) }
  }

  package func didStop(waits: Bool) { state.withLock { $0.didStop(waits: waits) } }

  package func begin(_ task: UInt64, on actor: UInt) -> DispatchSemaphore? {
    state.withLock { $0.begin(task, on: actor) }
  }

  package func overtake(on actor: UInt?, leaves: Bool) -> DispatchSemaphore? {
    state.withLock { $0.overtake(on: actor, leaves: leaves) }
  }

  package var hasWaitingJobs: Bool { state.withLock { !$0.isIdle } }

  package func idle(within limit: Countdown) async -> Wait.Outcome {
    let wait = Wait()
    let arrival = state.withLock { state in
      if state.phase == .over { wait.finish(.fulfilled) } else { state.idleWaits.append(wait) }
      return state.arrival.take()
    }
    arrival?.finish(.fulfilled)
    return await wait.outcome()
  }

  /// Returns the outcome of a wait, which times out if nothing that could finish it can run.
  package func outcome(of wait: Wait, within limit: Countdown) async -> Wait.Outcome {
    let isOver = state.withLock { state in
      state.limitedWaits.append(wait)
      return state.phase == .over
    }
    if isOver { wait.finish(.timedOut) }
    let outcome = await wait.outcome()
    state.withLock { $0.limitedWaits.removeAll { $0 === wait } }
    return outcome
  }

  package func note(_ text: @autoclosure () -> String) {
    guard isTraced else { return }
    let text = text()
    state.withLock { $0.trace?.note(text) }
  }

  package func announceTask(_ origin: @autoclosure () -> String) {
    guard isTraced else { return }
    let origin = origin()
    state.withLock { $0.trace?.announce(origin) }
  }

  /// Records the name of the running task.
  private func noteName() {
    guard isTraced, let name = TaskID.currentName else { return }
    let task = TaskID.current
    state.withLock { $0.trace?.name(task, name) }
  }
}

/// What tasks of the run wait for: a time, or a choice.
extension ScheduleRun {
  /// The time that the clocks of this run show.
  var now: Duration { state.withLock { $0.now } }

  func sleep(until deadline: Duration) async throws {
    noteName()
    let id = state.withLock { $0.sleepers.makeID() }
    let isWoken = await withTaskCancellationHandler {
      await WaitingTask.wait { task in
        let (sleeps, arrival) = state.withLock { state in
          (state.fallAsleep(id, until: deadline, task), state.arrival.take())
        }
        arrival?.finish(.fulfilled)
        if !sleeps { task.resume(returning: false) }
      }
    } onCancel: {
      state.withLock { $0.sleepers.cancel(id) }?.waitingTask.resume(returning: false)
    }
    // At its deadline, whether the task runs or is cancelled first depends on the schedule.
    if !isWoken || Task.isCancelled { throw CancellationError() }
  }

  /// Lets any other ready job run.
  func choose(_ label: @autoclosure () -> String) async {
    // A task that runs elsewhere has no place in the order.
    guard RunningExecutors.shared.current?.order === self,
      state.withLock({ $0.hasChoices })
    else { return }
    let label = isTraced ? label() : ""
    noteName()
    _ = await WaitingTask.wait { waitingTask in
      let task = TaskID.current
      state.withLock { $0.addChoice(of: task, waitingTask, label: label) }
    }
  }

  /// Returns which of some errors a call throws, if the schedule lets it fail.
  ///
  /// - Parameter label: Says that the call throws an error.
  func chooseError(
    among errors: [any Error], _ label: (any Error) -> String
  ) -> (any Error)? {
    guard !errors.isEmpty, RunningExecutors.shared.current?.order === self else { return nil }
    let outcome = state.withLock { $0.chooseOutcome(of: errors.count + 1) }
    if outcome == 0 { return nil }
    let error = errors[outcome - 1]
    if isTraced {
      let (task, label) = (TaskID.current, label(error))
      state.withLock { $0.trace?.fail(task, label) }
    }
    return error
  }

  func noteRandomNumber() {
    usesRandomNumbers.store(true, ordering: .relaxed)
  }
}

extension ScheduleRun: FailureCollector {
  /// Collects a failure of this library, if it belongs to no test of Swift Testing.
  ///
  /// The handler of issues collects the others.
  package func collect(_ message: String, at place: String) -> Bool {
    guard Test.current == nil else { return false }
    ownFailures.withLock { $0.append(RunFailure(kind: message, place: place)) }
    return !isReported
  }

  var collected: [RunFailure] { ownFailures.withLock { $0 } }
}

/// Identifies a failure of a run.
struct RunFailure: Equatable, Sendable {
  let kind: String
  let place: String
  var text: String { place.isEmpty ? kind : "\(kind.shortened(to: 120)) at \(place)" }
  /// Whether Swift Testing knows no test that it belongs to.
  var isStray = false
}

/// How the body of a test has ended in a schedule.
enum ScheduleEnding: Sendable {
  case returned
  case threw(any Error)
  /// Nothing could run, no task slept, and the body hadn't ended.
  case deadlocked
  /// Something kept running.
  case restless
}

/// The schedule that a scope was created for.
private enum ScheduleRunKey: UnrecordedKey {
  static var defaultValue: ScheduleRun? { nil }
}

extension Dependencies {
  var scheduleRun: ScheduleRun? {
    get { self[ScheduleRunKey.self] }
    set { self[ScheduleRunKey.self] = newValue }
  }
}

/// A schedule's clock, which moves to the next deadline by itself when nothing can run.
struct VirtualClock: Clock {
  typealias Instant = TestClock.Instant

  let run: ScheduleRun

  var now: Instant { Instant(offset: run.now) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await run.sleep(until: deadline.offset)
  }
}

/// A schedule's random numbers, which record whether they were used.
private struct ScheduleRandomNumbers: RandomNumberGenerator, Sendable {
  var numbers: SplitMix64
  let run: ScheduleRun

  mutating func next() -> UInt64 {
    run.noteRandomNumber()
    return numbers.next()
  }
}

extension ScheduleRun {
  /// Overrides the dependencies that would differ between runs.
  func setVirtual(_ dependencies: inout Dependencies) {
    let clock = VirtualClock(run: self)
    dependencies.continuousClock = clock
    dependencies.suspendingClock = clock
    dependencies.date = DateGenerator {
      let (seconds, attoseconds) = clock.now.offset.components
      return Date(timeIntervalSinceReferenceDate: Double(seconds) + Double(attoseconds) / 1e18)
    }
    dependencies.uuid = .incrementing
    dependencies.randomNumberGenerator = SharedRandomNumberGenerator(
      ScheduleRandomNumbers(numbers: SplitMix64(seed: seed), run: self))
  }
}
