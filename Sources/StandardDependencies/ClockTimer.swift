internal import ComposableDependencies

extension Clock {
  /// Returns a sequence that produces an element at the end of each interval.
  ///
  /// ```swift
  /// return .run { send in
  ///   for await _ in environment.continuousClock.timer(interval: .seconds(1)) {
  ///     await send(.ticked)
  ///   }
  /// }
  /// ```
  ///
  /// A timer starts when a task asks for its first element, and each task that iterates has its own
  /// timer. Deadlines are multiples of the interval from that start, so they don't drift. A task
  /// that is late skips the intervals that it missed: elements count intervals, so 1, 2, 4 means
  /// that the third was skipped. The sequence ends when its task is canceled, or when the clock's
  /// sleep throws.
  ///
  /// It works on any clock, including an `any Clock<Duration>`. On a `TestClock`, advancing the
  /// clock by five intervals produces five elements.
  ///
  /// - Parameters:
  ///   - interval: The length of an interval. If it isn't longer than zero, the sequence is empty
  ///     and an issue is reported.
  ///   - tolerance: How late the clock may be.
  ///   - fileID: The file that an issue names.
  ///   - line: The line that an issue names.
  public func timer(
    interval: Duration, tolerance: Duration? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> ClockTimer {
    guard interval > .zero else {
      DependencyIssue(
        problem:
          "The interval of a timer is \(interval), so the timer produces no elements.",
        remedy: "use an interval longer than zero.", fileID: fileID, line: line
      ).report()
      return ClockTimer { { nil } }
    }
    return ClockTimer { [self] in
      var count = 0
      var deadline: Instant?
      var hasEnded = false
      return {
        if hasEnded || Task.isCancelled { return nil }
        let now = self.now
        let last = deadline ?? now
        let missed = Int(min(max(last.duration(to: now) / interval, 0), 1e18))
        let next = last.advanced(by: interval * (missed + 1))
        count += missed + 1
        deadline = next
        let hasSlept = (try? await self.sleep(until: next, tolerance: tolerance)) != nil
        hasEnded = !hasSlept || Task.isCancelled
        return hasEnded ? nil : count
      }
    }
  }
}

/// A sequence of the ends of intervals on a clock, created by `timer(interval:)`.
public struct ClockTimer: AsyncSequence, Sendable {
  /// Returns a closure that waits for the next element, once for each iterator.
  let start: @Sendable () -> () async -> Int?

  /// Creates an iterator whose timer starts when you ask for the first element.
  public func makeAsyncIterator() -> Iterator {
    Iterator(wait: start())
  }

  /// An iterator that waits for the end of each interval.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let wait: () async -> Int?

    /// Waits for the end of the next interval.
    ///
    /// - Returns: The number of intervals since the start; `nil` if the task is canceled.
    public mutating func next() async -> Int? {
      await wait()
    }

    /// Waits for the end of the next interval.
    ///
    /// - Returns: The number of intervals since the start; `nil` if the task is canceled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      await wait()
    }
  }
}
