import ComposableEnvironment
import GlobalEnvironment
import TestSupport
import Testing

@Suite("Composable and global environments in one file")
struct BothEnvironmentsTests {
  private struct Composable: ComposableEnvironment {
    let scope = DependencyScope.current
    @Dependency(\.a) var declared
    @DerivedEnvironment<Global> var global
  }

  private struct Global: GlobalEnvironment {
    @Dependency(\.a) var declared
    @DerivedEnvironment<Leaf> var leaf
  }

  private struct Leaf: ComposableEnvironment {
    let scope = DependencyScope.current
    @Dependency(\.a) var declared
  }

  @Test("a global environment derived from a composable one declares in its scope")
  func globalBelowComposable() {
    let composable = Composable().with(\.a, 10)
    #expect(composable.global.declared == 10)
    #expect(composable.global.leaf.declared == 10)
    #expect(composable.global.a == 1, "read by name, it reads the current scope")
    #expect(composable.scope.run { composable.global.a } == 10)
  }

  @Test("a composable environment derived from a global one captures the scope that creates it")
  func composableBelowGlobal() {
    let global = DependencyScope.root.with(\.a, 10).run { Global() }
    #expect(
      (global.leaf.declared, global.leaf.a, global.leaf.with(\.a, 11).declared) == (10, 10, 11))
  }

  @Test("a derived global environment keeps the properties that its declaration gives it")
  func globalWithProperties() {
    struct Sized: GlobalEnvironment { var size = 1 }
    struct Parent: ComposableEnvironment {
      let scope = DependencyScope.current
      @DerivedEnvironment var sized = Sized(size: 5)
    }
    var parent = Parent().with(\.a, 10)
    #expect(parent.sized.size == 5)
    parent.sized = Sized(size: 6)
    #expect((parent.sized.size, parent.with(\.a, 11).sized.size) == (6, 6))
  }

  @Test("a global value reaches composable environments created before")
  func globalValues() {
    DependencyScope.isolated().run {
      let composable = Composable()
      let overridden = composable.with(\.a, 10)
      Global().with(\.a, 20).with(\.b, 30)
      #expect((composable.declared, composable.global.leaf.declared) == (20, 20))
      #expect((overridden.declared, overridden.b) == (10, 30))
    }
  }
}
