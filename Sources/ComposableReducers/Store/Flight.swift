internal import Synchronization

/// The effects of one sent action that are still running, including the effects of the actions that
/// they send, transitively.
@usableFromInline
package final class Flight: Sendable {
  private struct State {
    var effects = SlotList<EffectTask>()
    /// The flight's position in its runner, while it has effects.
    var position = 0
    /// The number of actions that wait to be reduced.
    var waitingActions = 0
    var isCancelled = false
    var waiters = Waiters()

    var isFinished: Bool { effects.isEmpty && waitingActions == 0 }

    mutating func takeWaitersIfFinished() -> Waiters {
      guard isFinished else { return Waiters() }
      defer { waiters = Waiters() }
      return waiters
    }
  }

  /// Who waits for the end; mostly one task.
  // Sound: the code that takes the task out resumes it, so it is resumed once.
  @safe private struct Waiters {
    private var task: UnsafeContinuation<Void, Never>?
    private var others: [@Sendable () -> Void] = []

    mutating func append(_ task: UnsafeContinuation<Void, Never>) {
      if unsafe self.task == nil {
        unsafe self.task = task
      } else {
        append { unsafe task.resume() }
      }
    }

    mutating func append(_ notify: @escaping @Sendable () -> Void) {
      others.append(notify)
    }

    func resume() {
      unsafe task?.resume()
      for notify in others { notify() }
    }
  }

  let runner: EffectRunner
  private let state = Mutex(State())

  init(_ runner: EffectRunner) {
    self.runner = runner
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Makes room for a number of effects.
  func reserveCapacity(_ count: Int) {
    state.withLock { $0.effects.reserveCapacity(count) }
  }

  /// Returns the position of the effect, for its removal.
  func add(_ effect: EffectTask) -> Int {
    let (position, isCancelled) = state.withLock { state in
      // Under the lock, so that the runner knows exactly the flights that have effects.
      if state.effects.isEmpty { state.position = runner.add(self) }
      return (state.effects.insert(effect), state.isCancelled)
    }
    if isCancelled { effect.cancel() }
    return position
  }

  /// Returns whether the effect was there.
  @discardableResult
  func remove(_ effect: EffectTask, at position: Int) -> Bool {
    let (wasThere, waiters) = state.withLock { state in
      let wasThere = state.effects.remove(effect, at: position)
      if wasThere, state.effects.isEmpty { runner.remove(self, at: state.position) }
      return (wasThere, state.takeWaitersIfFinished())
    }
    waiters.resume()
    return wasThere
  }

  func addWaitingAction() {
    state.withLock { $0.waitingActions += 1 }
  }

  func removeWaitingAction() {
    let waiters = state.withLock { state in
      state.waitingActions -= 1
      return state.takeWaitersIfFinished()
    }
    waiters.resume()
  }

  func cancel() {
    let effects = state.withLock { state in
      state.isCancelled = true
      return state.effects.all
    }
    effects.sortedByAge().cancel()
  }

  /// The effects that are under way, in the order in which they were made.
  var effects: [EffectTask] { state.withLock { $0.effects.all }.sortedByAge() }

  /// Waits for the end, and cancels the effects if the waiting task is cancelled.
  func finish() async {
    await withTaskCancellationHandler {
      unsafe await withUnsafeContinuation { continuation in
        add { unsafe $0.append(continuation) }
      }
    } onCancel: {
      cancel()
    }
  }

  /// Calls a closure when everything has finished.
  func whenFinished(_ notify: @escaping @Sendable () -> Void) {
    add { $0.append(notify) }
  }

  private func add(_ add: (inout Waiters) -> Void) {
    let waiters = state.withLock { state in
      add(&state.waiters)
      return state.takeWaitersIfFinished()
    }
    waiters.resume()
  }
}
