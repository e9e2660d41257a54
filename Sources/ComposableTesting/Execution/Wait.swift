internal import Dispatch
internal import Synchronization

/// Holds one task until what it waits for comes, or its time is up.
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
  // A thread of its own: time passes also where tests keep all others.
  private static let timers = DispatchQueue(label: "Wait")

  package init() {}

  /// Ends the wait; the first to do so decides how.
  package func end(_ outcome: Outcome) {
    let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
      guard case .pending(let continuation) = state else { return nil }
      state = .ended(outcome)
      return continuation
    }
    continuation?.resume(returning: outcome)
  }

  /// Returns how the wait has ended; to be asked by one task.
  package func outcome(within limit: Duration) async -> Outcome {
    let priority = Task.currentPriority
    let countdown = Countdown { job in Task.detached(priority: priority) { job() } }
    let timer = DispatchSource.makeTimerSource(queue: Self.timers)
    timer.setEventHandler { if countdown.step() { self.end(.timedOut) } }
    let step = DispatchTimeInterval.nanoseconds(limit.nanoseconds / Countdown.steps)
    timer.schedule(deadline: .now() + step, repeating: step)
    timer.activate()
    defer { timer.cancel() }
    return await withCheckedContinuation { continuation in
      let outcome: Outcome? = state.withLock { state in
        if case .ended(let outcome) = state { return outcome }
        state = .pending(continuation)
        return nil
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }
}

extension Duration {
  /// The greatest that fits for what is longer.
  fileprivate var nanoseconds: Int {
    let (nanoseconds, isTooLong) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return isTooLong ? .max : Int(nanoseconds) + Int(components.attoseconds / 1_000_000_000)
  }
}
