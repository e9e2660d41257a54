extension Effect {
  /// Runs this effect after a pause, and only if no other came with the same identifier meanwhile.
  ///
  /// ```swift
  /// case .queryChanged(let query):
  ///   return search(query).debounce(id: ID.search, for: .milliseconds(300), clock: environment.clock)
  /// ```
  ///
  /// - Parameters:
  ///   - id: The identifier, by which the effect can also be cancelled.
  ///   - duration: How long nothing else must come.
  ///   - clock: The clock that measures it.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  public func debounce<C: Clock>(
    id: some Hashable & Sendable, for duration: C.Duration, clock: C,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Effect {
    let pause = Effect(
      operation: .run(
        Run(priority: nil, place: EffectPlace(fileID: fileID, line: line)) { _ in
          try? await clock.sleep(until: clock.now.advanced(by: duration), tolerance: nil)
        }))
    return .concatenate(pause, self).cancellable(id: id, cancelInFlight: true)
  }

  /// Runs at most one such effect in each interval.
  ///
  /// The first runs at once, and opens an interval. Of those that come within it, one runs at its end,
  /// and opens the next.
  ///
  /// - Parameters:
  ///   - id: The identifier, by which the effects can also be cancelled.
  ///   - duration: The length of the interval.
  ///   - clock: The clock that measures it.
  ///   - latest: Whether the last of those within an interval runs at its end, or the first.
  public func throttle<C: Clock>(
    id: some Hashable & Sendable, for duration: C.Duration, clock: C, latest: Bool
  ) -> Effect {
    let throttling = Throttling(latest: latest) {
      let end = clock.now.advanced(by: duration)
      return Throttling.Interval(
        isOver: { clock.now >= end },
        waitForEnd: { try? await clock.sleep(until: end, tolerance: nil) })
    }
    return Effect(operation: .throttled(self, id: EffectID(id), throttling))
  }
}

/// How effects are throttled, on whichever clock.
@usableFromInline
struct Throttling: Sendable {
  struct Interval: Sendable {
    let isOver: @Sendable () -> Bool
    /// Returns early when it is cancelled.
    let waitForEnd: @Sendable () async -> Void
  }

  let latest: Bool
  let openInterval: @Sendable () -> Interval
}
