package import Dispatch

/// A job of a task on a test's executor, or of an actor there.
// Sound: an executor runs each job once.
@safe package struct TestJob: Sendable {
  /// Where a job runs.
  package enum Place: Int, Sendable {
    /// Outside of actors, or on a default actor.
    case nonisolated = 1
    /// On an actor that runs on the executor.
    case executor
    case mainActor
  }

  let job: UnownedJob
  package let place: Place
  /// The effect that the job belongs to, if any.
  package var effect: EffectExecutor?
  /// The task that has made the job ready; 0 if none ran.
  package var origin: UInt64 = 0
  /// Whether the job is one of an actor that has been running another task.
  package var isNextTurn = false
  /// Whether the end of an actor's turn has made the job ready, and no task of the test.
  package var isTurnEnd = false

  /// Whether the job is a task's, a resumption after a yield, or an actor's.
  package var kind: JobKind { place == .nonisolated ? JobKind(job) : .task }
  package var isOnMainActor: Bool { place == .mainActor }
  /// Identifies the task of the job; meaningless if it belongs to none.
  package var task: UInt64 { TaskID.of(job) }
  /// Whether the task of the job prefers an executor.
  package var prefersExecutor: Bool { job.prefersExecutor }

  /// Identifies the actor on which the job runs, while that lives; `nil` outside of actors.
  package var actor: UInt? {
    switch place {
    case .nonisolated: job.defaultActor
    case .executor, .mainActor: UInt(place.rawValue)
    }
  }

  /// The default actor whose job this is.
  // Sound: the job retains its actor.
  package var actorObject: AnyObject? {
    kind == .actor ? job.defaultActor.map { unsafe unsafeBitCast($0, to: AnyObject.self) } : nil
  }
}

/// What a test's executor does next.
package enum TestStep: Sendable {
  case run(TestJob)
  case call(@Sendable () -> Void)
  /// Resumes a thread whose job has been overtaken, and which runs what is next from then on.
  case resume(DispatchSemaphore)

  /// Whether the step runs on the main actor; `nil` if it may, because it only resumes a task.
  var isOnMainActor: Bool? {
    if case .run(let job) = self, job.kind != .yield { job.place == .mainActor } else { nil }
  }

  /// Finishes a wait, because nothing else can run.
  package static func finish(_ wait: Wait) -> TestStep { .call { wait.finish(.fulfilled) } }
}

/// Decides which job of a test runs next.
///
/// `FirstInFirstOut` runs jobs as they become ready, and waits in real time. An explored schedule
/// chooses, and knows when nothing can run.
package protocol JobOrder: AnyObject, Sendable {
  /// Whether this is one of a test's schedules.
  ///
  /// In a schedule, a task that enters an actor takes a turn of its own, and no real time passes.
  static var isExplored: Bool { get }

  /// Takes a job.
  ///
  /// - Parameter isOutside: Whether no job of the order has made it ready.
  /// - Returns: Whether the executor must begin to run what is next, on a thread of its own.
  func add(_ job: TestJob, isOutside: Bool) -> Bool

  /// Removes what runs next; `nil` if nothing can run.
  func next() -> TestStep?

  /// Notices that a task visits an actor, which it is about to leave; 0 if the running job's has ended.
  func didVisit(_ actor: UInt, by task: UInt64)

  /// Notices that the running task has let go of its thread, and whether it waits for an actor.
  func didStop(waits: Bool)

  /// Notices that a task runs on an actor, and lets others overtake it if another task has run there in
  /// the same job.
  ///
  /// - Returns: As of `overtake`.
  func begin(_ task: UInt64, on actor: UInt) -> DispatchSemaphore?

  /// Lets others overtake the running job, which has just made another one ready or left an actor.
  ///
  /// - Returns: What the job's thread must wait for, while another thread runs what is next; `nil` if
  ///   the job goes on.
  func overtake(on actor: UInt?, leaves: Bool) -> DispatchSemaphore?

  /// Whether something waits for the running job to end.
  var hasWaitingJobs: Bool { get }

  /// Waits until nothing can run, or until something has run for too long.
  func idle(within limit: Countdown) async -> Wait.Outcome

  /// Waits until something finishes a wait, or until that is too late.
  func outcome(of wait: Wait, within limit: Countdown) async -> Wait.Outcome

  /// Lets only overtaken jobs run until the running one ends, because it blocks its thread.
  ///
  /// - Returns: Whether any is overtaken.
  func didBlock() -> Bool

  /// Lets all jobs run again, after the end of one that blocked its thread.
  ///
  /// - Returns: Whether the caller must run what is next.
  func didUnblock() -> Bool

  /// Records that the running job lets something run outside the executor.
  func noteDeparture(_ text: String)

  /// Adds a note about the running job to the record of the order, if there is one.
  func note(_ text: @autoclosure () -> String)

  /// Announces the origin of the next task to start, after those that were announced before.
  func announceTask(_ origin: @autoclosure () -> String)

  /// Lets tasks run that the executor doesn't know, if real time passes.
  ///
  /// - Returns: Whether there may be any.
  func yieldToOthers() async -> Bool

  /// Calls a closure once the test has done nothing for a while, if real time passes.
  ///
  /// The call itself counts as something that the test does. If a closure waits already, this one is
  /// ignored.
  func whenSilent(for limit: Duration, _ action: @escaping @Sendable () -> Void)

  /// What keeps the executor busy, for a message; `nil` if that isn't known.
  var busyEffect: String? { get }
}

// What only a schedule does, and then what only an order in real time does.
extension JobOrder {
  package func didBlock() -> Bool { false }
  package func didUnblock() -> Bool { false }
  package func didVisit(_ actor: UInt, by task: UInt64) {}
  package func didStop(waits: Bool) {}
  package func begin(_ task: UInt64, on actor: UInt) -> DispatchSemaphore? { nil }
  package func overtake(on actor: UInt?, leaves: Bool) -> DispatchSemaphore? { nil }
  package func note(_ text: @autoclosure () -> String) {}
  package func announceTask(_ origin: @autoclosure () -> String) {}

  package func yieldToOthers() async -> Bool { false }
  package func whenSilent(for limit: Duration, _ action: @escaping @Sendable () -> Void) {}
  package var busyEffect: String? { nil }
}

extension JobOrder {
  /// Describes when a wait with a limit times out.
  package func ending(of limit: Duration) -> String {
    Self.isExplored ? "where nothing else can run" : "after \(limit)"
  }

  /// Waits like `outcome(of:within:)`, but ends at once when the waiting task is cancelled.
  package func outcomeUnlessCancelled(
    of wait: Wait, within limit: Countdown
  ) async -> Wait.Outcome {
    await withTaskCancellationHandler {
      await outcome(of: wait, within: limit)
    } onCancel: {
      wait.finish(.cancelled)
    }
  }
}
