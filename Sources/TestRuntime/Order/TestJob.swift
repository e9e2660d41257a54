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
