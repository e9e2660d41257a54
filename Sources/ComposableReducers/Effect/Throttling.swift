/// How effects are throttled, on any clock.
final class Throttling: Sendable {
  struct Interval: Sendable {
    let isOver: @Sendable () -> Bool
    /// Returns early when it is cancelled.
    let waitForEnd: @Sendable () async -> Void
  }

  let latest: Bool
  let openInterval: @Sendable () -> Interval

  init(latest: Bool, openInterval: @escaping @Sendable () -> Interval) {
    self.latest = latest
    self.openInterval = openInterval
  }
}

/// The throttles of one store, by identifier.
struct Throttles {
  /// The fate of a throttled effect.
  enum Decision {
    case runsNow
    /// The task waits for the end of the interval.
    case waits(EffectTask)
    case isDropped
  }

  private struct Throttle {
    let interval: Throttling.Interval
    /// Runs at the end of the interval, unless it is cancelled.
    var next: EffectTask?

    var waiting: EffectTask? { next.flatMap { $0.isCancelled ? nil : $0 } }
  }

  private var throttles: [EffectID: Throttle] = [:]
  /// The number of throttles above which ended ones are removed.
  private var limit = 16

  /// Decides on an effect; `makeTask` makes the task that waits for the end of an interval.
  mutating func decide(
    _ id: EffectID, _ throttling: Throttling,
    waitingIn makeTask: (Throttling.Interval) -> EffectTask
  ) -> Decision {
    guard var throttle = throttles[id] else { return runNow(id, throttling) }
    if throttle.interval.isOver() {
      // A waiting effect goes first, even if it hasn't run yet.
      guard throttle.waiting != nil else { return runNow(id, throttling) }
      throttle = Throttle(interval: throttling.openInterval())
    }
    let waiting = throttle.waiting
    if waiting != nil, !throttling.latest { return .isDropped }
    let task = makeTask(throttle.interval)
    throttle.next = task
    throttles[id] = throttle
    waiting?.cancel()
    return .waits(task)
  }

  /// Opens the next interval, with the effect that waited for it.
  mutating func openInterval(_ task: EffectTask, _ id: EffectID, _ throttling: Throttling) {
    guard throttles[id]?.next === task else { return }
    throttles[id] = Throttle(interval: throttling.openInterval())
  }

  private mutating func runNow(_ id: EffectID, _ throttling: Throttling) -> Decision {
    if throttles[id] == nil, throttles.count >= limit { forgetThoseThatAreOver() }
    throttles[id] = Throttle(interval: throttling.openInterval())
    return .runsNow
  }

  /// Called whenever the number of throttles has doubled, so that each removal costs the same.
  private mutating func forgetThoseThatAreOver() {
    throttles = throttles.filter { $0.value.waiting != nil || !$0.value.interval.isOver() }
    limit = max(16, 2 * throttles.count)
  }
}
