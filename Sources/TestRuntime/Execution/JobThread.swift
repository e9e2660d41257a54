/// A thread, while it runs a test's jobs one after the other.
// Sound: only the thread itself uses it, from its thread-local.
final class JobThread: @unchecked Sendable {
  /// The executor to which the jobs belong; `nil` if their tasks belong to no test.
  let executor: TestExecutor?
  let watched = WatchedThread.current
  /// The task on whose thread the jobs run, if any, which isn't one of the test.
  private let host = TaskID.current
  /// The number of the running job; `nil` for code that acts for the test outside of its jobs.
  var job: Int?
  /// Whether an actor's turn ends after the running task.
  var endsActor = false
  /// Whether an actor's turn is ending.
  var isEndingActor = false
  /// Whether the thread is calling the order.
  private(set) var isAsking = false

  init(of executor: TestExecutor?) { self.executor = executor }

  /// The task that runs on this thread; 0 if it has let go of the thread, or ended.
  var runningTask: UInt64 {
    let task = TaskID.current
    return task == host ? 0 : task
  }

  /// Calls a function, during which the runtime may acquire and release objects of its own.
  func asking<R>(_ function: () -> R) -> R {
    isAsking = true
    defer { isAsking = false }
    return function()
  }
}
