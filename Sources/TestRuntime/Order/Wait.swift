internal import Synchronization

/// Suspends one task until an event occurs, or its time is up.
package final class Wait: Sendable {
  package enum Outcome: Sendable {
    case fulfilled
    case timedOut
    /// The waiting task was canceled.
    case cancelled
  }

  private enum State {
    case pending(CheckedContinuation<Outcome, Never>?)
    case finished(Outcome)
  }

  private let state = Mutex(State.pending(nil))

  package init() {}

  /// Resumes the waiting task; the first call decides the outcome.
  package func finish(_ outcome: Outcome) {
    let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
      guard case .pending(let continuation) = state else { return nil }
      state = .finished(outcome)
      return continuation
    }
    continuation?.resume(returning: outcome)
  }

  /// The outcome, if the wait has finished.
  package var outcomeIfFinished: Outcome? {
    state.withLock { if case .finished(let outcome) = $0 { outcome } else { nil } }
  }

  /// Waits for the outcome.
  ///
  /// Only one task may call it.
  package func outcome() async -> Outcome {
    await withCheckedContinuation { continuation in
      let outcome: Outcome? = state.withLock { state in
        if case .finished(let outcome) = state { return outcome }
        state = .pending(continuation)
        return nil
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }
}
