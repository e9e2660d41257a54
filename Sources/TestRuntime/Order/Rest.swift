internal import Dispatch
internal import Synchronization

/// The rest of a job that others have overtaken, on a thread that waits.
package final class Rest: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let isSuspect = Atomic(false)

  func wait() { semaphore.wait() }

  func resume() { semaphore.signal() }

  /// Whether another job may wait for what this one has locked, so that this one goes on.
  var isSuspected: Bool {
    get { isSuspect.load(ordering: .relaxed) }
    set { isSuspect.store(newValue, ordering: .relaxed) }
  }
}
