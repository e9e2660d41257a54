internal import Synchronization

/// Holds tasks until it is opened, and lets a test wait until they are there.
package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var held: [CheckedContinuation<Void, Never>] = []
    var arrivals = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Returns when the gate is open, whether or not the task is cancelled.
  package func wait() async {
    await withCheckedContinuation { continuation in
      let resumed = state.withLock { state in
        state.arrivals += 1
        var resumed = state.watchers.filter { $0.count <= state.arrivals }.map(\.continuation)
        state.watchers.removeAll { $0.count <= state.arrivals }
        if state.isOpen { resumed.append(continuation) } else { state.held.append(continuation) }
        return resumed
      }
      for continuation in resumed { continuation.resume() }
    }
  }

  /// Returns when so many tasks have come to the gate.
  package func waitForArrivals(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.arrivals < count { state.watchers.append((count, continuation)) }
        return state.arrivals >= count
      }
      if isThere { continuation.resume() }
    }
  }

  package func open() {
    let held = state.withLock { state in
      state.isOpen = true
      defer { state.held = [] }
      return state.held
    }
    for continuation in held { continuation.resume() }
  }
}
