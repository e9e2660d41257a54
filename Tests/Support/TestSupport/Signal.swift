import Dispatch
import Synchronization

/// An event that one task waits for, up to a limit.
package final class Signal: Sendable {
  private struct State {
    var isRaised = false
    var waiting: CheckedContinuation<Bool, Never>?
  }

  private let state = Mutex(State())

  package init() {}

  package func raise() {
    state.withLock { state in
      state.isRaised = true
      return state.waiting.take()
    }?.resume(returning: true)
  }

  /// Waits for the signal, and returns whether it was raised in time.
  ///
  /// Only time in which tasks get to run counts, so that a busy machine doesn't look like a hanging
  /// program. If tasks hardly run at all, the wait ends after a hundred times the limit.
  package func wait(atMost limit: Duration) async -> Bool {
    if state.withLock({ $0.isRaised }) { return true }
    Watchdog.watch(self, for: limit)
    return await withCheckedContinuation { continuation in
      let isRaised = state.withLock { state in
        if !state.isRaised { state.waiting = continuation }
        return state.isRaised
      }
      if isRaised { continuation.resume(returning: true) }
    }
  }

  fileprivate func giveUp() {
    state.withLock { $0.waiting.take() }?.resume(returning: false)
  }
}

/// Ends the waits that are overdue.
private enum Watchdog {
  private struct Watched {
    weak var signal: Signal?
    var turnsLeft: Int
    var deadline: ContinuousClock.Instant
  }

  private static let interval = Duration.milliseconds(50)
  private static let watched = Mutex<[Watched]>([])
  /// Whether the last requested turn hasn't come yet.
  private static let isWaitingForTurn = Atomic(false)

  private static let isWatching: Void = lookAgain()

  static func watch(_ signal: Signal, for limit: Duration) {
    _ = isWatching
    let turns = Int((limit / interval).rounded(.up))
    watched.withLock {
      $0.append(Watched(signal: signal, turnsLeft: turns, deadline: .now + limit * 100))
    }
  }

  private static func lookAgain() {
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) {
      check(turns: 0)
      if !isWaitingForTurn.exchange(true, ordering: .relaxed) {
        Task.detached {
          check(turns: 1)
          isWaitingForTurn.store(false, ordering: .relaxed)
        }
      }
      lookAgain()
    }
  }

  private static func check(turns: Int) {
    let overdue = watched.withLock { watched in
      watched.removeAll { $0.signal == nil }
      for position in watched.indices { watched[position].turnsLeft -= turns }
      let overdue = watched.filter { $0.turnsLeft <= 0 || $0.deadline <= .now }
      watched.removeAll { $0.turnsLeft <= 0 || $0.deadline <= .now }
      return overdue
    }
    for overdue in overdue { overdue.signal?.giveUp() }
  }
}
