import Dispatch
import Synchronization

/// Something that one task waits for; it gives up when that does not come.
final class Signal: Sendable {
  private struct State {
    var isRaised = false
    var waiting: CheckedContinuation<Bool, Never>?
  }

  private let state = Mutex(State())

  func raise() {
    state.withLock { state in
      state.isRaised = true
      return state.waiting.take()
    }?.resume(returning: true)
  }

  /// Returns whether the signal was raised before it was too late.
  func wait(atMost limit: Duration) async -> Bool {
    if state.withLock({ $0.isRaised }) { return true }
    Watchdog.watch(self, until: .now + limit)
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

/// Looks now and then whether a signal is overdue.
private enum Watchdog {
  private struct Watched {
    weak var signal: Signal?
    var deadline: ContinuousClock.Instant
  }

  private static let watched = Mutex<[Watched]>([])

  private static let isWatching: Void = lookAgain()

  static func watch(_ signal: Signal, until deadline: ContinuousClock.Instant) {
    _ = isWatching
    watched.withLock { $0.append(Watched(signal: signal, deadline: deadline)) }
  }

  private static func lookAgain() {
    check()
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { lookAgain() }
  }

  private static func check() {
    let overdue = watched.withLock { watched in
      let overdue = watched.filter { $0.deadline <= .now }
      watched.removeAll { $0.signal == nil || $0.deadline <= .now }
      return overdue
    }
    for overdue in overdue { overdue.signal?.giveUp() }
  }
}
