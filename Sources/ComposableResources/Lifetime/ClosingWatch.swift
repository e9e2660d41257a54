internal import Dispatch
internal import Synchronization

/// Reports lifetimes that take too long to close.
///
/// It has one timer for all of them, because a server may close one for each request. That is no task,
/// which would be one of a test's.
struct ClosingWatch: ~Copyable {
  private struct Closing {
    let lifetime: Lifetime
    let limit: Duration
    var isDue: ContinuousClock.Instant
  }

  private static let shared = Mutex(ClosingWatch())

  private var closing: [ObjectIdentifier: Closing] = [:]
  /// When the timer fires, if it is set.
  private var timer: ContinuousClock.Instant?

  static func begin(_ lifetime: Lifetime, limit: Duration) {
    let isDue = ContinuousClock.now + limit
    shared.withLock { watch in
      watch.closing[ObjectIdentifier(lifetime)] = Closing(
        lifetime: lifetime, limit: limit, isDue: isDue)
      watch.setTimer(isDue, in: limit)
    }
  }

  static func end(_ lifetime: Lifetime) {
    let ended = shared.withLock { $0.closing.removeValue(forKey: ObjectIdentifier(lifetime)) }
    withExtendedLifetime(ended) {}  // Freed after the lock.
  }

  private mutating func setTimer(_ time: ContinuousClock.Instant, in interval: Duration) {
    if let timer, timer <= time { return }
    timer = time
    DispatchQueue.global().asyncAfter(deadline: .now() + interval / .seconds(1)) {
      Self.report(at: time)
    }
  }

  private static func report(at time: ContinuousClock.Instant) {
    let late: [Closing] = shared.withLock { watch in
      // A timer that another one has replaced.
      guard watch.timer == time else { return [] }
      watch.timer = nil
      let now = ContinuousClock.now
      let late = watch.closing.filter { $0.value.isDue <= now }
      for (id, closing) in late { watch.closing[id]?.isDue = now + closing.limit }
      if let next = watch.closing.values.map(\.isDue).min() {
        watch.setTimer(next, in: now.duration(to: next))
      }
      return Array(late.values)
    }
    for closing in late { closing.lifetime.reportSlowClosing(closing.limit) }
  }
}
