import ComposableEnvironment
import TestSupport
import Testing

/// Rule 18: only what was set on an environment itself follows it to another parent.
@Suite("Which environment owns an override")
struct OwnershipTests {
  @Test("rule 18: an environment created in another one's `init` doesn't inherit its own overrides")
  func createdInInit() {
    let nest = Nest().with(\.a, 10)
    for inner in [nest.before, nest.after] {
      #expect(inner.a == 10, "it is created in the scope of the one that creates it")
      #expect(Holder(inner).nest.a == 1)
    }
    #expect((nest.declared, Holder(nest).nest.declared) == (10, 10))
  }

  @Test("rule 18: recreating the outer environment leaves the inner ones without overrides")
  func recreated() {
    var holder = Holder(Nest().with(\.a, 10))
    holder = holder.with(\.b, 20)
    #expect((holder.nest.a, holder.nest.before.a, holder.nest.after.b) == (10, 10, 20))
    #expect(Holder(holder.nest.before).nest.a == 1)
    #expect((Holder(holder.nest).nest.a, Holder(holder.nest).nest.b) == (10, 2))
  }

  @Test("rule 18: an override of an inner environment is its own, and changes nothing else")
  func overriddenAfterwards() {
    let inner = Nest().with(\.a, 10).before.with(\.b, 20)
    #expect((inner.a, inner.declared, inner.b) == (10, 10, 20))
    #expect((Holder(inner).nest.a, Holder(inner).nest.b) == (1, 20))
    let both = inner.with(\.a, 11)
    #expect((Holder(both).nest.a, Holder(both).nest.b) == (11, 20))
  }

  @Test("rule 18: environments that create others of their type, at any depth, own only their own")
  func recursion() {
    let tree = Tree().with(\.a, 10)
    let (inner, innermost) = (tree.children[0], tree.children[0].children[0])
    #expect((inner.a, innermost.a) == (10, 10))
    #expect([tree, inner, innermost].map { TreeHolder($0).tree.a } == [10, 1, 1])
    #expect(TreeHolder(innermost.with(\.b, 20)).tree.b == 20)
  }

  @Test("rule 18: an environment that a task of `init` creates owns no override, whenever it runs")
  func createdByATask() async {
    let gate = Gate()
    let starter = DependencyScope.root.with(\.gate, gate).run { Starter().with(\.a, 10) }
    gate.open()
    let late = await starter.other!()
    #expect(late.a == 10)
    #expect(StarterHolder(late).starter.a == 1)
    #expect(StarterHolder(starter).starter.a == 10)
  }

  @Test("rule 18: an environment created in a scope from an escaped value owns no override")
  func escapedDependencies() {
    var escaped: [Dependencies] = []
    let overridden = Leaf().with {
      $0.a = 10
      escaped.append($0)
    }
    escaped.append(overridden.scope.whole)
    for dependencies in escaped {
      let others = [
        withDependencies {
          $0 = dependencies
        } operation: {
          Leaf()
        },
        DependencyScope.root.with { $0 = dependencies }.run { Leaf() },
      ]
      #expect(others.map(\.a) == [10, 10])
      #expect(others.map { LeafHolder($0).leaf.a } == [1, 1])
      #expect(others.map { LeafHolder($0.with(\.b, 20)).leaf.b } == [20, 20])
    }
    #expect(LeafHolder(overridden).leaf.a == 10)
  }

  @Test("an environment whose overrides come from an escaped value owns them")
  func assignedDependencies() {
    var escaped: Dependencies?
    _ = Leaf().with {
      $0.a = 10
      escaped = $0
    }
    let leaves = (1...2).map { _ in Leaf().with { $0 = escaped! } }
    #expect(leaves.map { LeafHolder($0).leaf.a } == [10, 10])
  }

  @Test("rule 17: a scope that `init` captures once more reads as the environment's own")
  func capturedTwice() {
    let twice = Twice().with(\.a, 10)
    #expect((twice.scope.a, twice.other.a, twice.bound()) == (10, 10, 10))
    #expect(twice.other.run { Leaf() }.a == 10)
    #expect(LeafHolder(twice.other.run { Leaf() }).leaf.a == 1)
  }
}

private struct Nest: ComposableEnvironment {
  // One is created before the scope is captured, and one after.
  var inner = Self.nested()
  let scope = DependencyScope.current
  var others = Self.nested()
  @Dependency(\.a) var declared

  private static func nested() -> [Nest] { isNested ? [] : $isNested.withValue(true) { [Nest()] } }
  @TaskLocal private static var isNested = false

  mutating func adopt(from other: Self) {
    if other.inner.isEmpty { (inner, others) = ([], []) }
  }

  var before: Nest { inner[0] }
  var after: Nest { others[0] }
}

private struct Holder: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<Nest> var nest

  init() {}
  init(_ nest: Nest) { self.nest = nest }
}

private struct Tree: ComposableEnvironment {
  var children: [Tree]
  let scope = DependencyScope.current

  init() { self.init(depth: 2) }

  private init(depth: Int) {
    children = depth == 0 ? [] : [Tree(depth: depth - 1)]
  }

  mutating func adopt(from other: Self) {
    while depth > other.depth { children = children[0].children }
  }

  private var depth: Int { children.first.map { $0.depth + 1 } ?? 0 }
}

private struct TreeHolder: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<Tree> var tree

  init() {}
  init(_ tree: Tree) { self.tree = tree }
}

private struct Starter: ComposableEnvironment {
  let scope = DependencyScope.current
  var other: (@Sendable () async -> Starter)?

  init() {
    let gate = scope.gate
    let task = Task {
      await gate.wait()
      return Starter(other: nil)
    }
    other = { await task.value }
  }

  private init(other: (@Sendable () async -> Starter)?) { self.other = other }

  mutating func adopt(from other: Self) {
    if other.other == nil { self.other = nil }
  }
}

private struct StarterHolder: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<Starter> var starter

  init() {}
  init(_ starter: Starter) { self.starter = starter }
}

private struct Leaf: ComposableEnvironment {
  let scope = DependencyScope.current
}

private struct LeafHolder: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<Leaf> var leaf

  init() {}
  init(_ leaf: Leaf) { self.leaf = leaf }
}

private struct Twice: ComposableEnvironment {
  let other = DependencyScope.current
  let scope = DependencyScope.current
  let bound = DependencyScope.current.bind { DependencyScope.current.a }
}

private enum GateKey: DependencyKey {
  static var defaultValue: Gate {
    let gate = Gate()
    gate.open()
    return gate
  }
}

extension Dependencies {
  fileprivate var whole: Dependencies { self }

  fileprivate var gate: Gate {
    get { self[GateKey.self] }
    set { self[GateKey.self] = newValue }
  }
}
