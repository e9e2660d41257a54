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

  @Test("rule 18: an environment created in another type's `init` doesn't inherit its overrides")
  func createdInInit() {
    let nest = Nest().with(\.a, 10)
    #expect((elsewhere(nest), elsewhere(nest.before), elsewhere(nest.after)) == (10, 1, 1))
    let inner = nest.before.with(\.b, 20)
    #expect((elsewhere(inner), Holder(inner).child.b) == (1, 20))
    let recreated = Holder(nest).with(\.b, 20).child
    #expect((recreated.before.b, elsewhere(recreated.before), elsewhere(recreated)) == (20, 1, 10))
    #expect(Holder(recreated).child.b == 2)
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
      Leaf(Nest().with(\.a, 10).scope),
    ]
    for await child in children.scoped(to: scope) { made.append(child) }
    #expect(made.map { elsewhere($0) } == made.map { _ in 1 })
  }

  @Test("rule 3: a scope built on an environment's scope has all overrides, and so does code in it")
  func builtOnItsScope() {
    let scope = Leaf().with(\.a, 10).scope.with(\.b, 20)
    #expect(scope.run { (DependencyScope.current.a, DependencyScope.current.b) } == (10, 20))
    #expect(scope.run { Leaf().with(\.c, 30) }.scope.with(\.c, 31).run { Leaf() }.c == 31)
    #expect(overridden.scope.with { $0 = $0.whole }.run { DependencyScope.current.a } == 10)
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

  @Test("rule 18: an environment doesn't own an override that an update has thrown away")
  func thrownAway() async {
    await Task.detached {
      var escaped: [Dependencies] = []
      _ = DependencyScope.current.with { escaped.append($0) }
      _ = DependencyScope.root.with { escaped.append($0) }
      for dependencies in escaped {
        let leaf = Leaf().with(\.a, 10).with { $0 = dependencies }
        #expect((leaf.a, Holder(leaf).child.a) == (1, 1))
      }
    }.value
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
  let before = Leaf()
  let scope = DependencyScope.current
  let after = Leaf()
}

extension Dependencies {
  fileprivate var whole: Dependencies { self }
}
