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

  @Test("each clock is overridden")
  func overridden() {
    let scope = DependencyScope.current.with {
      $0.continuousClock = SuspendingClock()
      $0.suspendingClock = ContinuousClock()
    }
    #expect(scope.continuousClock is SuspendingClock)
    #expect(scope.suspendingClock is ContinuousClock)
  }
}
