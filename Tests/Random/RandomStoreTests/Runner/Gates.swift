import Synchronization

/// Suspends runs before each step, each at its own gate.
final class Gates: Sendable {
  private struct Gate {
    var waiting: CheckedContinuation<Bool, Never>?
    var isOpen = false
    var isCancelled = false
  }

  private struct State {
    var gates: [Int: Gate] = [:]
    var areAllOpen = false
  }

  private let state = Mutex(State())

  /// Waits until the gate is opened once more.
  func wait(at lane: Int) async {
    _ = await pass(lane)
  }

  /// Waits until the gate is opened once more; throws if the task is cancelled.
  func waitUnlessCancelled(at lane: Int) async throws {
    let isOpen = await withTaskCancellationHandler {
      await pass(lane)
    } onCancel: {
      state.withLock { state in
        state.gates[lane, default: Gate()].isCancelled = true
        return state.gates[lane]?.waiting.take()
      }?.resume(returning: false)
    }
    if !isOpen { throw CancellationError() }
  }

  func open(_ lane: Int) {
    state.withLock { state in
      let waiting = state.gates[lane, default: Gate()].waiting.take()
      if waiting == nil { state.gates[lane]?.isOpen = true }
      return waiting
    }?.resume(returning: true)
  }

  /// Opens all gates, now and later.
  func openAll() {
    let waiting = state.withLock { state in
      state.areAllOpen = true
      return state.gates.keys.compactMap { state.gates[$0]?.waiting.take() }
    }
    for continuation in waiting { continuation.resume(returning: true) }
  }

  private func pass(_ lane: Int) async -> Bool {
    await withCheckedContinuation { continuation in
      let answer: Bool? = state.withLock { state in
        var gate = state.gates[lane, default: Gate()]
        defer { state.gates[lane] = gate }
        if gate.isCancelled { return false }
        if gate.isOpen || state.areAllOpen {
          gate.isOpen = false
          return true
        }
        gate.waiting = continuation
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }
}
