extension Effect {
  /// Runs this effect after a pause, unless another effect arrives with the same identifier.
  ///
  /// An effect that arrives after the pause starts a pause of its own, and cancels this one if it is
  /// still running, as with `cancelInFlight`.
  ///
  /// ```swift
  /// case .queryChanged(let query):
  ///   return search(query).debounce(id: ID.search, for: .milliseconds(300), clock: environment.clock)
  /// ```
  ///
  /// - Parameters:
  ///   - id: The identifier, which can also cancel the effect.
  ///   - duration: The length of the pause.
  ///   - clock: The clock that measures the pause.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  public func debounce<C: Clock>(
    id: some Hashable & Sendable, for duration: C.Duration, clock: C,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Effect {
    let pause = EffectRun(place: SourcePlace(fileID: fileID, line: line)) { _ in
      try? await clock.sleep(until: clock.now.advanced(by: duration), tolerance: nil)
    }
    return .concatenate(Effect(.run(pause)), self).cancellable(id: id, cancelInFlight: true)
  }

  /// Runs at most one of these effects in each interval.
  ///
  /// The first effect runs immediately, and opens an interval. Of the effects that arrive within
  /// the interval, one runs at its end, and opens the next interval. An effect that arrives at that
  /// very moment waits in the next interval.
  ///
  /// - Parameters:
  ///   - id: The identifier, which can also cancel the effects.
  ///   - duration: The length of the interval.
  ///   - clock: The clock that measures the interval.
  ///   - latest: Whether the last effect within an interval runs at its end, rather than the first.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  public func throttle<C: Clock>(
    id: some Hashable & Sendable, for duration: C.Duration, clock: C, latest: Bool,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Effect {
    guard let node else { return .none }
    let throttling = Throttling(
      id: EffectID(id), latest: latest, place: SourcePlace(fileID: fileID, line: line)
    ) {
      let end = clock.now.advanced(by: duration)
      return Throttling.Interval(
        isOver: { clock.now >= end },
        waitForEnd: { try? await clock.sleep(until: end, tolerance: nil) })
    }
    return Effect(.throttled(node, throttling))
  }
}

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
