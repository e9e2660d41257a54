internal import ComposableDependencies
internal import StandardDependencies
internal import Synchronization
internal import TestClocks
internal import TestRuntime

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A schedule's clock, which moves to the next deadline by itself when nothing can run.
struct VirtualClock: Clock {
  typealias Instant = TestClock.Instant

  let order: JobOrder

  var now: Instant { Instant(offset: order.now) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await order.sleep(until: deadline.offset)
  }
}

/// A schedule's random numbers, which record whether they were used.
private struct ScheduleRandomNumbers: RandomNumberGenerator, Sendable {
  var numbers: SplitMix64
  let order: JobOrder

  mutating func next() -> UInt64 {
    order.usesRandomNumbers.store(true, ordering: .relaxed)
    return numbers.next()
  }
}

extension JobOrder {
  /// Overrides the dependencies that would differ between runs of a schedule.
  func setVirtual(_ dependencies: inout Dependencies) {
    let clock = VirtualClock(order: self)
    dependencies.continuousClock = clock
    dependencies.suspendingClock = clock
    dependencies.date = DateGenerator {
      Date(timeIntervalSinceReferenceDate: clock.now.offset / .seconds(1))
    }
    dependencies.uuid = .incrementing
    dependencies.randomNumberGenerator = SharedRandomNumberGenerator(
      ScheduleRandomNumbers(numbers: SplitMix64(seed: seed), order: self))
  }

  /// The seed of the random numbers, if they were used; otherwise 0.
  var usedSeed: UInt64 { usesRandomNumbers.load(ordering: .relaxed) ? seed : 0 }
}
