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
}
