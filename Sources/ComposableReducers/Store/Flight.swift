internal import Synchronization

/// What one action that was sent to a store has caused and what is still under way: effects, and the
/// effects of the actions that those send, transitively.
@usableFromInline
package final class Flight: Sendable {
  private struct State {
    var effects: [ObjectIdentifier: EffectTask] = [:]
    /// Actions that wait to be reduced.
    var waitingActions = 0
    var isCancelled = false
    var waiters: [CheckedContinuation<Void, Never>] = []

    mutating func takeWaitersIfFinished() -> [CheckedContinuation<Void, Never>] {
      guard effects.isEmpty, waitingActions == 0 else { return [] }
      defer { waiters = [] }
      return waiters
    }
  }

  private let state = Mutex(State())

  func add(_ effect: EffectTask) {
    let isCancelled = state.withLock { state in
      state.effects[ObjectIdentifier(effect)] = effect
      return state.isCancelled
    }
    if isCancelled { effect.cancel() }
  }

  func remove(_ effect: EffectTask) {
    leave { $0.effects[ObjectIdentifier(effect)] = nil }
  }

  func addWaitingAction() {
    state.withLock { $0.waitingActions += 1 }
  }

  func removeWaitingAction() {
    leave { $0.waitingActions -= 1 }
  }

  private func leave(_ change: (inout State) -> Void) {
    let waiters = state.withLock { state in
      change(&state)
      return state.takeWaitersIfFinished()
    }
    for waiter in waiters { waiter.resume() }
  }

  func cancel() {
    let effects = state.withLock { state in
      state.isCancelled = true
      return Array(state.effects.values)
    }
    for effect in effects { effect.cancel() }
  }

  func finish() async {
    await withCheckedContinuation { continuation in
      let waiters = state.withLock { state in
        state.waiters.append(continuation)
        return state.takeWaitersIfFinished()
      }
      for waiter in waiters { waiter.resume() }
    }
  }
}
