internal import Dispatch
internal import Synchronization

/// A thread that runs functions one after the other, and never ends.
final class LastingThread: Sendable {
  private let functions = Mutex<[@Sendable () -> Void]>([])
  private let count = DispatchSemaphore(value: 0)

  init() {
    // A serial queue has its own thread while it has work.
    DispatchQueue(label: "LastingThread").async { [self] in
      while true {
        count.wait()
        functions.withLock { $0.removeFirst() }()
      }
    }
  }

  /// Runs a function on this thread, and waits for it.
  func run<R: Sendable>(_ function: @escaping @Sendable () -> R) -> R {
    let result = Mutex<R?>(nil)
    let end = DispatchSemaphore(value: 0)
    functions.withLock {
      $0.append {
        result.withLock { $0 = function() }
        end.signal()
      }
    }
    count.signal()
    end.wait()
    return result.withLock { $0! }
  }
}
