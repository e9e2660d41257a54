internal import Dispatch
internal import Synchronization

/// Counts the turns of another thread, one after the other.
final class ThreadTurns: Sendable {
  typealias Start = @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Runs a closure on a thread that isn't from Swift's pool, like those of ``WorkerThreads``.
  static let startTurn: Start = { threads.async(execute: $0) }
  private static let threads = DispatchQueue(label: "ThreadTurns")

  private let state = Mutex((count: 0, isTaking: false))

  var count: Int { state.withLock { $0.count } }

  /// Starts the next turn, if the last one is over.
  func next(_ start: Start) {
    let starts = state.withLock { state in
      defer { state.isTaking = true }
      return !state.isTaking
    }
    guard starts else { return }
    start {
      self.state.withLock { state in
        state.count += 1
        state.isTaking = false
      }
    }
  }
}
