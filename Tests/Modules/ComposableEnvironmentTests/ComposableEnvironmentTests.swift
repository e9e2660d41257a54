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
    let feature = original.with {
      $0.a = 10
      $0.b = $0.a + 1
    }
    #expect((feature.declared, feature.a, feature[\.b], feature.sum) == (10, 10, 11, 21))
    #expect((feature.child.declared, feature.child.b) == (10, 11))
    #expect((original.declared, original.a, original.child.a, sibling.a) == (1, 1, 1, 1))
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
