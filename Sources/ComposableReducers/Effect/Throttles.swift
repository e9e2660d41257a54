/// How effects are throttled, on any clock.
struct Throttling: Sendable {
  /// An interval up to an instant of the clock.
  struct Interval: Sendable {
    let isOver: @Sendable () -> Bool
    /// Returns early when it is canceled.
    let waitForEnd: @Sendable () async -> Void
  }

  let id: EffectID
  let latest: Bool
  let place: SourcePlace
  let makeInterval: @Sendable () -> Interval
}

/// The intervals of one child's throttled effects, by identifier.
struct Throttles {
  /// The fate of an effect that arrives.
  enum Decision {
    case runsNow
    case waits(Throttling.Interval, replacing: RunningEffect?)
    case isDropped
  }

  private struct Throttle {
    let interval: Throttling.Interval
    /// The sequence that runs at the end of the interval, unless it is canceled.
    var next: RunningEffect?

    var waiting: RunningEffect? { next.flatMap { $0.isCancelled ? nil : $0 } }
  }

  private var throttles: [EffectID: Throttle] = [:]

  var isEmpty: Bool { throttles.isEmpty }
  /// The number of throttles above which ended ones are removed.
  private var limit = 16

  mutating func decide(_ throttling: Throttling) -> Decision {
    guard let throttle = throttles[throttling.id] else {
      if throttles.count >= limit { removeThoseThatAreOver() }
      return runNow(throttling)
    }
    let waiting = throttle.waiting
    guard throttle.interval.isOver() else {
      if waiting != nil, !throttling.latest { return .isDropped }
      return .waits(throttle.interval, replacing: waiting)
    }
    // A waiting effect goes first, even if it hasn't run yet.
    return waiting == nil
      ? runNow(throttling) : .waits(throttling.makeInterval(), replacing: nil)
  }

  /// Remembers the sequence that waits for the end of an interval.
  mutating func wait(
    _ sequence: RunningEffect, _ throttling: Throttling, _ interval: Throttling.Interval
  ) {
    throttles[throttling.id] = Throttle(interval: interval, next: sequence)
  }

  /// Opens the next interval when the sequence that waited for it continues.
  mutating func openNext(_ throttling: Throttling, after sequence: RunningEffect?) {
    guard throttles[throttling.id]?.next === sequence else { return }
    throttles[throttling.id] = Throttle(interval: throttling.makeInterval())
  }

  private mutating func runNow(_ throttling: Throttling) -> Decision {
    throttles[throttling.id] = Throttle(interval: throttling.makeInterval())
    return .runsNow
  }

  /// Runs only when their number has doubled, so that the cost of a throttle doesn't grow with it.
  mutating func removeThoseThatAreOver() {
    throttles = throttles.filter { $0.value.waiting != nil || !$0.value.interval.isOver() }
    limit = max(16, 2 * throttles.count)
  }
}
