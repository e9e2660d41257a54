import ComposableEnvironment
import TestSupport
import Testing

@Suite("Boundaries: environments")
struct EnvironmentBoundariesTests {
  private struct Feature: ComposableEnvironment {
    let scope = DependencyScope.current
    @Dependency(\.a) var declared
    @DerivedEnvironment var child = Child().with(\.b, 20)
    @DerivedEnvironment<Child> var other

    /// The value of `a`, if all ways to read it agree, and if `b` is right, too.
    var value: Int {
      let values = Set([
        declared, self.a, self[\.a], child.declared, child.a, other.declared, other.a,
      ])
      let isRight = (self.b, child.b, child.sum, other.b) == (2, 20, 30, 2)
      return values.count == 1 && isRight ? values.first! : -1
    }
  }

  private struct Child: ComposableEnvironment {
    let scope = DependencyScope.current
    @Dependency(\.a) var declared
  }

  /// Captures the environment both before and after its children are created.
  private static func expectCapturedRead(across crossing: Crossing) async {
    for isAwake in [false, true] {
      let values = await crossing.values {
        let feature = Feature()
        if isAwake { _ = feature.value }
        return { feature.value }
      }
      #expect(!values.isEmpty && values.allSatisfy { $0 == 10 }, "\(values)")
    }
  }

  @Test("a captured environment reads the same after any boundary", arguments: Crossing.all)
  func capturedRead(across crossing: Crossing) async {
    await Self.expectCapturedRead(across: crossing)
  }

  @available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *)
  @Test("a captured environment reads the same in immediate tasks and in an isolated deinit")
  func newerBoundaries() async {
    for crossing in Crossing.immediateTasks + Crossing.isolatedDeinits {
      await Self.expectCapturedRead(across: crossing)
    }
  }

  private enum Cache { static let feature = Feature() }

  @Test("an environment in a lazy static permanently keeps the scope of its first access")
  func lazyStatic() {
    Crossing.here.run { #expect(Cache.feature.value == 10) }
    Crossing.elsewhere.run { #expect(Cache.feature.value == 10) }
  }
}
