internal import Synchronization

/// Suspends tasks until it is opened, and lets a test wait for their arrival.
package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var held: [CheckedContinuation<Void, Never>] = []
    var arrivals = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Waits until the gate is open, even if the task is cancelled.
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

  /// Waits until a number of tasks have arrived at the gate.
  package func waitForArrivals(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.arrivals < count { state.watchers.append((count, continuation)) }
        return state.arrivals >= count
      }
      if isThere { continuation.resume() }
    }
  }

  /// Lets the task through that has waited longest.
  package func openOnce() {
    state.withLock { $0.held.isEmpty ? nil : $0.held.removeFirst() }?.resume()
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
