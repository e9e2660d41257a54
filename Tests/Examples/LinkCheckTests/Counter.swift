import Synchronization

/// A counter for several tasks.
final class Counter: Sendable {
  private let state = Mutex((count: 0, maximum: 0))

  var maximum: Int { state.withLock { $0.maximum } }

  func next() -> Int {
    state.withLock { state in
      state.count += 1
      state.maximum = max(state.maximum, state.count)
      return state.count
    }
  }

  func back() {
    state.withLock { $0.count -= 1 }
  }
}
