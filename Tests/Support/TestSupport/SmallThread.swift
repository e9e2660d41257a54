internal import Dispatch
internal import Foundation

/// Runs an operation to completion on a new thread with a stack of 512 KB, like that of a secondary
/// thread on Apple's systems.
package func onSmallStack(_ operation: @escaping @Sendable () -> Void) {
  let isDone = DispatchSemaphore(value: 0)
  let thread = Thread {
    operation()
    isDone.signal()
  }
  thread.stackSize = 512 << 10
  thread.start()
  isDone.wait()
}
