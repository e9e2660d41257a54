import ComposableDependencies
import TestSupport
import Testing

@Suite("Boundaries: lazy statics")
struct LazyStaticBoundariesTests {
  private enum Plain { static let a = DependencyScope.current.a }
  private enum Rooted { static let a = DependencyScope.root.run { DependencyScope.current.a } }
  private enum Computed { static var a: Int { DependencyScope.current.a } }

  @Test("a lazy static permanently keeps what its first access read")
  func plain() {
    Crossing.elsewhere.run { _ = Plain.a }
    Crossing.here.run { #expect(Plain.a == 99) }
    #expect(Plain.a == 99)
  }

  @Test("a lazy static created in a given scope doesn't depend on its first access")
  func rooted() {
    Crossing.elsewhere.run { _ = Rooted.a }
    Crossing.here.run { #expect(Rooted.a == 1) }
  }

  @Test("a computed static reads the current scope each time")
  func computed() {
    Crossing.elsewhere.run { #expect(Computed.a == 99) }
    Crossing.here.run { #expect(Computed.a == 10) }
  }
}
