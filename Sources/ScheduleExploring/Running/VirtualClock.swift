internal import ComposableDependencies
internal import StandardDependencies
internal import TestClocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A schedule's clock, which moves to the next deadline by itself when nothing can run.
struct VirtualClock: Clock {
  typealias Instant = TestClock.Instant

  let run: ScheduleRun

  var now: Instant { Instant(offset: run.now) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await run.sleep(until: deadline.offset)
  }
}

/// A schedule's random numbers, which record whether they were used.
private struct ScheduleRandomNumbers: RandomNumberGenerator, Sendable {
  var numbers: SplitMix64
  let run: ScheduleRun

  mutating func next() -> UInt64 {
    run.noteRandomNumber()
    return numbers.next()
  }
}

extension ScheduleRun {
  /// Overrides the dependencies that would differ between runs.
  func setVirtual(_ dependencies: inout Dependencies, seed: UInt64) {
    let clock = VirtualClock(run: self)
    dependencies.continuousClock = clock
    dependencies.suspendingClock = clock
    dependencies.date = DateGenerator {
      let (seconds, attoseconds) = clock.now.offset.components
      return Date(timeIntervalSinceReferenceDate: Double(seconds) + Double(attoseconds) / 1e18)
    }
    dependencies.uuid = .incrementing
    dependencies.randomNumberGenerator = SharedRandomNumberGenerator(
      ScheduleRandomNumbers(numbers: SplitMix64(seed: seed), run: self))
  }
}
