import Synchronization

/// Holds whoever comes to it, until it is opened.
final class Gate: Sendable {
  private struct State {
    var arrived = 0
    var isOpen = false
    var held: [CheckedContinuation<Void, Never>] = []
    var waiting: [(count: Int, CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  /// Suspends until the gate is opened, whether the task is cancelled or not.
  func pass() async {
    await withCheckedContinuation { continuation in
      let resumed = state.withLock { state in
        state.arrived += 1
        var resumed = state.waiting.filter { $0.count <= state.arrived }.map(\.1)
        state.waiting.removeAll { $0.count <= state.arrived }
        if state.isOpen { resumed.append(continuation) } else { state.held.append(continuation) }
        return resumed
      }
      for continuation in resumed { continuation.resume() }
    }
  }

  /// Suspends until as many have come.
  func arrivals(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let hasArrived = state.withLock { state in
        if state.arrived < count { state.waiting.append((count, continuation)) }
        return state.arrived >= count
      }
      if hasArrived { continuation.resume() }
    }
  }

  /// Lets everybody pass, now and later.
  func open() {
    let held = state.withLock { state in
      state.isOpen = true
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }
}
