internal import Synchronization

/// Passes the jobs of one effect to its test's executor, which thereby knows the effect of each
/// job.
final class EffectExecutor: TaskExecutor {
  let effect: ObjectIdentifier
  weak let log: (any EffectLog)?

  private let executor: TestExecutor
  private let task = Atomic<UInt>(0)

  init(of effect: ObjectIdentifier, in log: any EffectLog, on executor: TestExecutor) {
    self.effect = effect
    self.log = log
    self.executor = executor
  }

  func enqueue(_ job: consuming ExecutorJob) {
    executor.enqueue(TestExecutor.Job(job: UnownedJob(job), effect: self))
  }

  /// Remembers the running task as the effect's own.
  func didStart() {
    task.store(currentTaskAddress, ordering: .relaxed)
  }

  /// The address of the effect's own task; 0 before it starts.
  var taskAddress: UInt { task.load(ordering: .relaxed) }
}

/// The effects of a store, as the executor sees them.
protocol EffectLog: AnyObject, Sendable {
  /// Describes an effect, for a message.
  func description(of effect: ObjectIdentifier) -> String?

  /// Stops all waiting for the action that started an effect.
  func abandon(_ effect: ObjectIdentifier)

  /// Stops waiting for an effect, because a failure has named it.
  func forget(_ effect: ObjectIdentifier)
}

/// The address of the running task, for comparisons; 0 outside of tasks.
var currentTaskAddress: UInt {
  unsafe withUnsafeCurrentTask { task in
    guard let task = unsafe task else { return 0 }
    // Sound: it is a reference to the task, and only compared.
    return unsafe unsafeBitCast(task, to: UInt.self)
  }
}
