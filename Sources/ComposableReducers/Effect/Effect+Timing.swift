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
