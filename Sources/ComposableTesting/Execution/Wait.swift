internal import Synchronization

/// Suspends one task until an event occurs, or its time is up.
package final class Wait: Sendable {
  package enum Outcome {
    case fulfilled
    case timedOut
  }

  private enum State {
    case pending(CheckedContinuation<Outcome, Never>?)
    case ended(Outcome)
  }

  private let state = Mutex(State.pending(nil))

  package init() {}

  /// Ends the wait; the first call decides the outcome.
  package func end(_ outcome: Outcome) {
    let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
      guard case .pending(let continuation) = state else { return nil }
      state = .ended(outcome)
      return continuation
    }
    continuation?.resume(returning: outcome)
  }

  /// The outcome of the wait, if it has ended.
  var outcome: Outcome? {
    state.withLock { if case .ended(let outcome) = $0 { outcome } else { nil } }
  }

  /// Waits for the outcome.
  ///
  /// Only one task may call it.
  func end() async -> Outcome {
    await withCheckedContinuation { continuation in
      let outcome: Outcome? = state.withLock { state in
        if case .ended(let outcome) = state { return outcome }
        state = .pending(continuation)
        return nil
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }
}
