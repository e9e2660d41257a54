internal import Synchronization

/// The executor of the main actor, as a test's tasks know it.
///
/// Its jobs have their place in the order of the test, and run on the main actor.
///
/// A task that is suspended on the main actor knows its executor, but doesn't retain it. So a stand-in is
/// never freed: when its test has ended, it serves another one, to which the tasks that it knows don't belong.
final class MainActorStandIn: SerialExecutor {
  private struct Owner {
    weak var executor: TestExecutor?
    /// The newest task of all that have been here, and of those before the test.
    var newest: UInt64 = 0
    var newestBefore: UInt64 = 0
  }

  private let owner = Mutex(Owner())
  private static let unused = Mutex<[MainActorStandIn]>([])

  private init() {}

  /// Takes a stand-in that no test uses.
  static func take() -> MainActorStandIn {
    if let standIn = unused.withLock({ $0.popLast() }) { return standIn }
    let standIn = MainActorStandIn()
    // Sound: it's never freed.
    _ = unsafe Unmanaged.passRetained(standIn)
    return standIn
  }

  func serve(_ executor: TestExecutor) {
    owner.withLock { owner in
      owner.executor = executor
      owner.newestBefore = owner.newest
    }
  }

  func putBack() { Self.unused.withLock { $0.append(self) } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let task = TaskID.of(job)
    let (executor, newestBefore) = owner.withLock { owner in
      owner.newest = max(owner.newest, task)
      return (owner.executor, owner.newestBefore)
    }
    guard let executor, !executor.passesOn(task, newestBefore: newestBefore) else {
      return MainActor.shared.enqueue(job)
    }
    executor.enqueue(TestJob(job: job, place: .mainActor))
  }

  /// Checks code that runs on the main queue without being one of its jobs, as in `main.sync`.
  func checkIsolated() {
    RunningExecutors.shared.with(nil) { MainActor.preconditionIsolated() }
  }
}
