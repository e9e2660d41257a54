internal import Dispatch
internal import Synchronization

/// A few threads that run the jobs of all test executors.
///
/// None of them belongs to Swift's pool, which has no thread to spare for a job that blocks. They are
/// few, because Dispatch has 255 threads: if jobs blocked all of them, no queue that a job waits for
/// would run.
final class WorkerThreads: Sendable {
  static let shared = WorkerThreads()

  private struct State {
    var functions: [@Sendable () -> Void] = []
    /// Less than 0 if threads that have waited are about to go on beside those that took their places.
    var idleThreads = 8
  }

  private let state = Mutex(State())

  /// Runs a function on one of the threads, after those that already wait.
  func run(_ function: @escaping @Sendable () -> Void) {
    state.withLock { $0.functions.append(function) }
    startThread()
  }

  /// Lets another thread take the place of one that waits.
  func didBlock() {
    state.withLock { $0.idleThreads += 1 }
    startThread()
  }

  /// Lets a thread go on that has waited.
  func didUnblock() { state.withLock { $0.idleThreads -= 1 } }

  private func startThread() {
    let starts = state.withLock { state in
      guard state.idleThreads > 0, !state.functions.isEmpty else { return false }
      state.idleThreads -= 1
      return true
    }
    // A serial queue has its own thread while it has work.
    if starts { DispatchQueue(label: "TestExecutor").async { self.runAll() } }
  }

  private func runAll() {
    while let function = next() { function() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      if !state.functions.isEmpty, state.idleThreads >= 0 { return state.functions.removeFirst() }
      state.idleThreads += 1
      return nil
    }
  }
}
