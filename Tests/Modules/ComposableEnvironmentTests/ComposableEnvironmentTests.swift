import ComposableEnvironment
import TestSupport
import Testing

@Suite("ComposableEnvironment")
struct ComposableEnvironmentTests {
  private struct Feature: ComposableEnvironment {
    let scope = DependencyScope.current
    @Dependency(\.a) var declared
    @DerivedEnvironment<Child> var child
  }

  private struct Child: ComposableEnvironment {
    let scope = DependencyScope.current
    @Dependency(\.a) var declared
  }

  private struct Empty: ComposableEnvironment {
    let scope = DependencyScope.current
  }

  @Test("a dependency is read declared, by name and by key path")
  func reading() {
    let feature = DependencyScope.root.with(\.a, 10).run { Feature() }
    #expect((feature.declared, feature.a, feature[\.a]) == (10, 10, 10))
    #expect(feature.sum == 12)
  }

  @Test("rule 17: an environment captures the scope that creates it")
  func captures() async {
    let feature = DependencyScope.root.with(\.a, 10).run { Feature() }
    await withDependencies {
      $0.a = 99
    } operation: {
      #expect((feature.declared, feature.a, feature.child.declared) == (10, 10, 10))
      #expect(await Task.detached { feature.child.a }.value == 10)
    }
  }

  @Test(
    "rule 17: declared dependencies and derived environments see an override, the original doesn't")
  func with() {
    let original = Feature()
    let sibling = original.child
    let feature = original.with(\.a, 10)
    #expect((feature.declared, feature.a, feature.b) == (10, 10, 2))
    #expect((feature.child.declared, feature.child.a) == (10, 10))
    #expect((original.declared, original.a, original.child.a, sibling.a) == (1, 1, 1, 1))
    #expect(feature.with(\.b, 20).a == 10)
  }

  @Test("rule 17: several overrides recreate an environment once, and see each other")
  func withUpdate() {
    let feature = Feature().with {
      $0.a = 10
      $0.b = $0.a + 1
    }
    #expect((feature.declared, feature.b, feature.child.b) == (10, 11, 11))
  }

  @Test("rule 17: an environment is recreated in its own scope, not in the caller's")
  func withReplacesTheCallersScope() {
    let feature = Feature()
    withDependencies {
      $0.b = 99
    } operation: {
      #expect(feature.with(\.a, 10).b == 2)
    }
  }

  @Test("setting through the subscript is with, in place")
  func settingInPlace() {
    var feature = Feature()
    let copy = feature
    feature[\.a] = 10
    feature[\.a] += 1
    #expect((feature.declared, copy.declared) == (11, 1))
  }

  @Test(
    "rule 8: a hundred thousand overrides of an environment leave no more blocks than a thousand",
    .enabled(if: Allocations.areCounted))
  func memoryIsFlat() {
    onSmallStack {
      func blocks(after count: Int) -> Int {
        var empty = Empty()
        return Allocations {
          for value in 0..<count { empty = empty.with(\.a, value) }
        }.remaining
      }
      #expect(blocks(after: 1_000) < 50)
      #expect(blocks(after: 100_000) < 50)
    }
  }

  @Test("aliasing aliases two dependencies in the store of the environment's scope")
  func aliasing() {
    let scope = DependencyScope.isolated()
    let feature = scope.run { Feature() }.aliasing(\.b, to: \.a)
    #expect(feature.b == 1)
    #expect(feature.with(\.b, 5).declared == 5)
    #expect(scope.b == 1)
    #expect(DependencyScope.root.b == 2)
  }
}
