internal import Dispatch
internal import Synchronization

/// A job that others have overtaken, whose thread waits.
package final class OvertakenJob: Sendable {
  /// The step of its task.
  let step: RunningStep
  /// Whether the task was leaving an actor, where it holds no lock.
  let leaves: Bool
  private let semaphore = DispatchSemaphore(value: 0)
  private let isSuspect = Atomic(false)

  init(_ step: RunningStep, leaves: Bool) { (self.step, self.leaves) = (step, leaves) }

  func wait() { semaphore.wait() }

  func resume() { semaphore.signal() }

  /// Whether another job may wait for what this one has locked, so that this one goes on.
  var isSuspected: Bool {
    get { isSuspect.load(ordering: .relaxed) }
    set { isSuspect.store(newValue, ordering: .relaxed) }
  }
}
