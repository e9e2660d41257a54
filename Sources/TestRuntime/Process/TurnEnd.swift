internal import Synchronization

/// Ends an actor's turn after the task that runs there, even if other tasks wait for the actor.
///
/// A job of a default actor runs all tasks that wait for the actor, one after the other. This actor
/// shares the other actor's executor. Because of its priority, its task runs before those that wait, unless they
/// have the same one: then these run in the same turn, as `TestExecutor.willAcquire` sees.
/// Then the task leaves, so the runtime enqueues another job for the others.
@safe actor TurnEnd {
  // Sound: the task runs before the actor's job ends, which retains the actor.
  nonisolated let unownedExecutor: UnownedSerialExecutor

  /// Shares the executor on which this thread runs; `nil` if that isn't a default actor's.
  private init?() {
    guard let actor = currentDefaultActor else { return nil }
    unsafe unownedExecutor = unsafeBitCast((actor, UInt(0)), to: UnownedSerialExecutor.self)
  }

  /// The tasks that end turns.
  private static let tasks = Mutex<Set<UInt64>>([])

  /// Whether a task ends an actor's turn.
  static func isOne(_ task: UInt64) -> Bool { tasks.withLock { $0.contains(task) } }

  /// The highest one that the runtime knows, `.userInteractive`.
  static let priority: UInt8 = 33

  /// Ends the turn of the actor on which this thread runs.
  ///
  /// - Parameters:
  ///   - willLeave: Called before the runtime enqueues another job for the actor.
  ///   - didLeave: Called afterwards.
  /// - Returns: Whether this thread runs on a default actor.
  static func schedule(
    willLeave: @escaping @Sendable () -> Void, didLeave: @escaping @Sendable () -> Void
  ) -> Bool {
    guard let actor = TurnEnd() else { return false }
    actor.assumeIsolated { actor in
      let task = Task(priority: TaskPriority(rawValue: Self.priority)) {
        _ = actor
        willLeave()
        await leave(didLeave)
        let task = TaskID.current
        tasks.withLock { _ = $0.remove(task) }
      }
      // It runs after this job.
      tasks.withLock { _ = $0.insert(TaskID.of(task)) }
    }
    return true
  }

  @concurrent @inline(never) private static func leave(_ didLeave: @Sendable () -> Void) async {
    didLeave()
  }
}
