import ComposableEnvironment
import TestSupport
import Testing

@Suite("@DerivedEnvironment")
struct DerivedEnvironmentTests {
  @Test("rule 18: a derived environment is created in its parent's scope")
  func createdInTheParentsScope() {
    let parent = DependencyScope.root.with(\.a, 10).run { Parent() }
    withDependencies {
      $0.a = 99
    } operation: {
      #expect((parent.child.declared, parent.child.grandchild.declared) == (10, 10))
    }
  }

  @Test("rule 18: overrides in a declaration apply to the child and below, whatever the parent's")
  func declaredOverrides() {
    let parent = Parent().with(\.a, 10).with(\.b, 20)
    #expect((parent.declared, parent.child.declared) == (10, 10))
    #expect((parent.tuned.declared, parent.tuned.grandchild.declared) == (3, 3))
    #expect((parent.tuned.b, parent.tuned.grandchild.b) == (20, 20))
  }

  @Test("rule 18: a child keeps overrides set through its parent, and otherwise follows it")
  func overriddenThroughTheParent() {
    var parent = Parent()
    parent.child[\.a] = 8
    #expect((parent.a, parent.child.declared, parent.child.grandchild.declared) == (1, 8, 8))
    parent[\.a] = 9
    parent[\.b] = 20
    #expect((parent.a, parent.child.declared, parent.child.grandchild.declared) == (9, 8, 8))
    #expect((parent.child.b, parent.child.grandchild.b) == (20, 20))
    parent.child[\.b] = 21
    parent[\.b] = 22
    #expect((parent.b, parent.child.b, parent.child.a) == (22, 21, 8))
  }

  @Test("rule 18: a deep override applies to nothing above it, and stays below every other")
  func overrideAtDepth() {
    var parent = Parent()
    #expect(parent.child.grandchild.declared == 1)
    parent.child.grandchild[\.a] = 8
    #expect((parent.a, parent.child.a, parent.child.grandchild.declared) == (1, 1, 8))
    parent[\.a] = 9
    #expect((parent.a, parent.child.a, parent.child.grandchild.declared) == (9, 9, 8))
    parent.child[\.a] = 10
    #expect((parent.a, parent.child.a, parent.child.grandchild.declared) == (9, 10, 8))
  }

  @Test("rule 18: copies of a parent are independent")
  func copiesAreIndependent() {
    var parent = Parent()
    let copy = parent
    parent.child[\.a] = 8
    #expect((parent.child.a, copy.child.a) == (8, 1))
  }

  @Test("rule 18: a child created elsewhere follows its new parent, except for its own overrides")
  func childMadeElsewhere() {
    let elsewhere = DependencyScope.root.with(\.b, 99).run { Child().with(\.a, 8) }
    let fromOverridden = Parent().with(\.c, 99).child
    var parent = DependencyScope.root.with(\.d, 40).run { Parent() }
    parent.child = elsewhere
    #expect((parent.child.a, parent.child.b, parent.child.d) == (8, 2, 40))
    parent.child = fromOverridden
    #expect((parent.child.a, parent.child.c, parent.child.d) == (1, 3, 40))
  }

  @Test("rule 18: an override of the parent never becomes the child's own")
  func parentsOverridesAreNotTheChilds() {
    var parent = Parent().with(\.b, 20)
    parent.tuned[\.c] = 30
    parent.child[\.c] = 31
    parent[\.b] = 21
    #expect((parent.tuned.b, parent.tuned.c, parent.tuned.a) == (21, 30, 3))
    #expect((parent.child.b, parent.child.c) == (21, 31))
  }

  @Test("stored properties of a child survive overrides of its own and of the parent")
  func storedPropertiesOfAChild() {
    let parent = Parent()
    #expect((parent.extra.extra, parent.extra.declared) == (5, 3))
    let overridden = parent.with(\.b, 20)
    #expect((overridden.extra.extra, overridden.extra.declared, overridden.extra.b) == (5, 3, 20))
    var assigned = overridden
    assigned.extra.extra = 6
    assigned[\.b] = 21
    #expect((assigned.extra.extra, assigned.extra.declared, assigned.extra.b) == (6, 3, 21))
    #expect(overridden.extra.extra == 5)
  }

  @Test("rule 16: the first read of a child sees the parent's overrides and the alias")
  func firstReadSeesTheAlias() {
    let scope = DependencyScope.isolated()
    scope.run {
      #expect(Aliasing().with(\.a, 10).child.declared == 10)
      #expect(DependencyScope.current.b == 1)
    }
    #expect(scope.with(\.b, 7).run { Aliasing() }.child.declared == 7)
    #expect(DependencyScope.root.b == 2)
  }

  @Test("rule 18: a child's own override of an aliased key wins over its parent's of the target")
  func ownOverrideOfAnAliasedDependency() {
    struct Tuning: ComposableEnvironment {
      let scope = DependencyScope.current
      @DerivedEnvironment(aliases: { $0.alias(\.b, to: \.a) })
      var child = AliasedChild().with(\.b, 3)
      @DerivedEnvironment(aliases: { $0.alias(\.c, to: \.d) })
      var other = AliasedChild().with(\.c, 5).with(\.d, 6)
    }
    DependencyScope.isolated().with(\.a, 10).run {
      for _ in 1...2 {
        let parent = Tuning()
        #expect((parent.child.declared, parent.child.a) == (3, 3))
        #expect((parent.with(\.a, 11).child.declared, parent.a) == (3, 10))
        #expect((parent.other.c, parent.other.d) == (6, 6), "the root's own comes first")
      }
    }
  }

  @Test("a child outlives its parent")
  func childOfTemporary() {
    for number in 1...1_000 {
      let child = Parent().with(\.a, number).child
      #expect((child.declared, child.grandchild.declared) == (number, number))
      #expect(Parent().with(\.a, number).child.grandchild.a == number)
    }
  }

  @Test("rule 19: environments can derive each other; children are created once, on demand")
  func recursion() {
    let first = First().with(\.a, 10)
    #expect(first.second.first.second.first.a == 10)
    #expect(first.second.token === first.second.token)
    #expect(first.second.token !== first.second.first.second.token)
  }

  @Test("rule 20: an environment created by another kind of type inherits the current scope")
  func noChainToBreak() {
    struct Screen {
      let child = Child()
    }
    final class Coordinator {
      func screen() -> Screen { Screen() }
    }
    let parent = Parent().with(\.a, 10)
    #expect(parent.scope.run { Coordinator().screen() }.child.declared == 10)
  }
}

private struct Parent: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.a) var declared
  @DerivedEnvironment<Child> var child
  @DerivedEnvironment var tuned = Child().with(\.a, 3)
  @DerivedEnvironment var extra = Extra(extra: 5).with(\.a, 3)
}

private struct Child: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.a) var declared
  @DerivedEnvironment<Grandchild> var grandchild
}

private struct Grandchild: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.a) var declared
}

private struct Extra: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.a) var declared
  var extra = 0
  mutating func adopt(from other: Self) { extra = other.extra }
}

private struct Aliasing: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<AliasedChild>(aliases: { $0.alias(\.b, to: \.a) }) var child
}

private struct AliasedChild: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.b) var declared
}

private struct First: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<Second> var second
}

private struct Second: ComposableEnvironment {
  let scope = DependencyScope.current
  let token = Token()
  @DerivedEnvironment<First> var first
}

private final class Token: Sendable {}
