import ComposableEnvironment
import TestSupport
import Testing

/// Rule 18: only what was set on an environment itself follows it to another parent.
@Suite("Which environment owns an override")
struct OwnershipTests {
  /// An environment that has an override of its own.
  private let overridden = Leaf().with(\.a, 10)

  /// What an environment that reads 10 for `a` reads below another parent: 10 if it owns the
  /// override, and otherwise the default.
  private func elsewhere<Child: ComposableEnvironment>(
    _ child: Child, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) -> Int {
    #expect(child.a == 10, sourceLocation: sourceLocation)
    return Holder(child).child.a
  }

  @Test("rule 18: an environment's own override follows it, with those that are set on it later")
  func own() {
    let both = overridden.with(\.b, 20)
    #expect((elsewhere(both), Holder(both).child.b) == (10, 20))
  }

  @Test("rule 18: an environment created in another one's `init` doesn't inherit its overrides")
  func createdInInit() {
    let nest = Nest().with(\.a, 10)
    #expect([nest, nest.before, nest.after].map { elsewhere($0) } == [10, 1, 1])
    let inner = nest.before.with(\.b, 20)
    #expect((elsewhere(inner), Holder(inner).child.b) == (1, 20))
    let recreated = Holder(nest).with(\.b, 20).child
    #expect((recreated.before.b, elsewhere(recreated.before), elsewhere(recreated)) == (20, 1, 10))
    #expect(Holder(recreated).child.b == 2)
  }

  @Test("rule 18: environments that create others of their type, at any depth, own only their own")
  func recursion() {
    let tree = Tree().with(\.a, 10)
    let (inner, innermost) = (tree.children[0], tree.children[0].children[0])
    #expect([tree, inner, innermost].map { elsewhere($0) } == [10, 1, 1])
  }

  @Test("rule 18: an environment that a task of `init` creates owns no override, whenever it runs")
  func createdByATask() async {
    let gate = Gate()
    let starter = DependencyScope.root.with(\.gate, gate).run { Starter().with(\.a, 10) }
    gate.open()
    let late = await starter.other!()
    #expect([late, starter].map { elsewhere($0) } == [1, 10])
  }

  @Test("rule 18: an environment created in the scope of another one owns nothing")
  func createdInItsScope() async throws {
    let scope = overridden.scope
    let children = AsyncStream { continuation in
      continuation.yield(0)
      continuation.finish()
    }
    .map { _ in Leaf() }
    var made = [
      scope.run { Leaf() },
      await scope.run { () async in
        await Task.yield()
        return Leaf()
      },
      scope.run { withDependencies({ _ in }, operation: { Leaf() }) },
      scope.bind { Leaf() }(),
      try scope.bind { () throws in Leaf() }(),
      await Task.detached(in: scope) { Leaf() }.value,
      scope[LeafKey.self],
      Leaf(scope.with(\.b, 30)),
      Leaf(scope).with { _ in }.scope.run { Leaf() },
    ]
    for await child in children.scoped(to: scope) { made.append(child) }
    #expect(made.map { elsewhere($0) } == made.map { _ in 1 })
  }

  @Test("rule 18: a derived environment of its parent's type owns none of the parent's overrides")
  func derivedOfItsOwnType() {
    struct Same: ComposableEnvironment {
      let scope = DependencyScope.current
      @DerivedEnvironment<Same> var same
    }
    let made = Same().with(\.a, 10)
    var assigned = made
    assigned.same = Same()
    #expect([made.same, assigned.same].map { elsewhere($0) } == [1, 1])
  }

  @Test("rule 18: what a derived environment without a scope creates owns nothing")
  func derivedWithoutScope() {
    struct Plain: DependencyEnvironment { let leaf = Leaf() }
    struct Deriving: ComposableEnvironment {
      let scope = DependencyScope.current
      @DerivedEnvironment<Plain> var plain
    }
    #expect(elsewhere(Deriving().with(\.a, 10).plain.leaf) == 1)
  }

  @Test("rule 18: an environment created in a scope from an escaped value owns no override")
  func escapedDependencies() {
    var escaped: [Dependencies] = []
    _ = Leaf().with {
      $0.a = 10
      escaped.append($0)
    }
    escaped.append(overridden.scope.whole)
    for dependencies in escaped {
      #expect(elsewhere(DependencyScope.root.with { $0 = dependencies }.run { Leaf() }) == 1)
      #expect(elsewhere(Leaf().with { $0 = dependencies }) == 10, "it was set on this one")
    }
  }

  @Test("rule 17: a scope that `init` captures once more reads as the environment's own")
  func capturedTwice() {
    struct Twice: ComposableEnvironment {
      let other = DependencyScope.current
      let scope = DependencyScope.current
      let bound = DependencyScope.current.bind { DependencyScope.current.a }
    }
    let twice = Twice().with(\.a, 10)
    #expect((twice.scope.a, twice.other.a, twice.bound()) == (10, 10, 10))
    #expect(elsewhere(twice.other.run { Leaf() }) == 1)
  }
}

/// A parent that an environment of another place is assigned to.
private struct Holder<Child: ComposableEnvironment>: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<Child> var child

  init() {}
  init(_ child: Child) { self.child = child }
}

private struct Leaf: ComposableEnvironment {
  let scope: DependencyScope

  init() { scope = .current }
  init(_ scope: DependencyScope) { self.scope = scope }
}

private enum LeafKey: DependencyKey {
  static var defaultValue: Leaf { Leaf() }
}

private struct Nest: ComposableEnvironment {
  // One is created before the scope is captured, and one after.
  var inner = Self.nested()
  let scope = DependencyScope.current
  var others = Self.nested()

  private static func nested() -> [Nest] { isNested ? [] : $isNested.withValue(true) { [Nest()] } }
  @TaskLocal private static var isNested = false

  mutating func adopt(from other: Self) {
    if other.inner.isEmpty { (inner, others) = ([], []) }
  }

  var before: Nest { inner[0] }
  var after: Nest { others[0] }
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
