import ComposableDependencies
import StandardDependencies
import Testing

@Suite("Clocks as dependencies")
struct ClockDependenciesTests {
  @Test("each clock is the standard library's by default")
  func defaults() {
    #expect(DependencyScope.current.continuousClock is ContinuousClock)
    #expect(DependencyScope.current.suspendingClock is SuspendingClock)
  }

  @Test("each can be overridden")
  func overridden() {
    let scope = DependencyScope.current.with {
      $0.continuousClock = OtherClock()
      $0.suspendingClock = OtherClock()
    }
    #expect(scope.continuousClock is OtherClock)
    #expect(scope.suspendingClock is OtherClock)
  }

  /// Another type than the defaults'.
  private struct OtherClock: Clock {
    struct Instant: InstantProtocol {
      var offset = Duration.zero
      func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
      func duration(to other: Instant) -> Duration { other.offset - offset }
      static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
  }
}
