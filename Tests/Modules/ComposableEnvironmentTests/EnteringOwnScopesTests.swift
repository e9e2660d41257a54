import ComposableEnvironment
import TestSupport
import Testing

@Suite("Entering the scope of an environment that has overrides of its own")
struct EnteringOwnScopesTests {
  private struct Child: ComposableEnvironment {
    let scope = DependencyScope.current
  }

  private struct Parent: ComposableEnvironment {
    let scope = DependencyScope.current
    @DerivedEnvironment<Child> var child
  }

  private let scope = Child().with(\.b, 20).scope

  /// An environment that was created inside reads the override there, and takes it nowhere else.
  private func check(_ child: Child, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    #expect(child.b == 20, sourceLocation: sourceLocation)
    var parent = Parent()
    parent.child = child
    #expect(parent.child.b == 2, sourceLocation: sourceLocation)
  }

  @Test("rule 18: an environment created in it owns nothing, whichever function runs there")
  func run() async {
    check(scope.run { Child() })
    check(await scope.run { () async in Child() })
    check(
      await scope.run { () async in
        await Task.yield()
        return Child()
      })
    check(scope.run { withDependencies({ _ in }, operation: { Child() }) })
    check(
      await scope.run { () async in
        await withDependencies({ _ in }, operation: { () async in Child() })
      })
  }

  @Test("rule 18: an environment created in a bound closure owns nothing")
  func bound() throws {
    check(scope.bind { Child() }())
    check(try scope.bind { () throws in Child() }())
  }

  @Test("rule 18: an environment created in a detached task owns nothing")
  func detached() async throws {
    check(await Task.detached(in: scope) { Child() }.value)
    check(try await Task.detached(in: scope) { () throws in Child() }.value)
  }

  @Test("rule 18: an environment created by a scoped sequence owns nothing")
  func sequences() async {
    let children = AsyncStream { continuation in
      continuation.yield(0)
      continuation.finish()
    }
    .map { _ in Child() }
    for await child in children.scoped(to: scope) { check(child) }
  }

  @Test("rule 18: an environment created by a default owns nothing")
  func defaults() {
    check(scope[ChildKey.self])
    check(scope.run { DependencyScope.current[ChildKey.self] })
  }

  @Test("rule 18: an environment created in a scope that builds on it owns nothing")
  func builtOn() {
    struct Given: ComposableEnvironment {
      let scope: DependencyScope
      init() { scope = .current }
      init(_ scope: DependencyScope) { self.scope = scope }
    }
    struct Holder: ComposableEnvironment {
      let scope = DependencyScope.current
      @DerivedEnvironment<Given> var given
    }
    let scope = Given().with(\.b, 20).scope
    for built in [scope.with(\.c, 30), scope.with { $0.c = 30 }] {
      var holder = Holder()
      holder.given = Given(built)
      #expect(Given(built).b == 20)
      #expect((holder.given.b, holder.given.c) == (2, 3))
    }
  }

  @Test("rule 18: what a derived environment without a scope creates owns nothing")
  func derivedWithoutScope() {
    let made = Nest().with(\.b, 20).plain.nest
    #expect(made.b == 20)
    var holder = Holder()
    holder.nest = made
    #expect(holder.nest.b == 2)
  }

  @Test("rule 18: a derived environment of its parent's type owns none of the parent's overrides")
  func derivedOfItsOwnType() {
    struct Same: ComposableEnvironment {
      let scope = DependencyScope.current
      @DerivedEnvironment<Same> var same
    }
    let made = Same().with(\.b, 20).same
    #expect(made.b == 20)
    var parent = Same()
    parent.same = made
    #expect(parent.same.b == 2)
  }

  @Test("rule 18: an assigned child of its parent's type owns none of the parent's overrides")
  func assignedOfItsOwnType() {
    struct Same: ComposableEnvironment {
      let scope = DependencyScope.current
      @DerivedEnvironment<Same> var same
    }
    var first = Same().with(\.b, 20)
    first.same = Same()
    #expect(first.same.b == 20)
    var second = Same()
    second.same = first.same
    #expect(second.same.b == 2)
  }

  @Test("rule 18: an environment with another's scope leaves that one's overrides behind")
  func scopeOfAnother() {
    struct Given: ComposableEnvironment {
      let scope: DependencyScope
      init() { scope = .current }
      init(_ scope: DependencyScope) { self.scope = scope }
    }
    check(Given(scope).with { _ in }.scope.run { Child() })
  }

  private struct Nest: ComposableEnvironment {
    let scope = DependencyScope.current
    @DerivedEnvironment<Plain> var plain
  }

  private struct Plain: DependencyEnvironment {
    let nest = Nest()
  }

  private struct Holder: ComposableEnvironment {
    let scope = DependencyScope.current
    @DerivedEnvironment<Nest> var nest
  }

  private enum ChildKey: DependencyKey {
    static var defaultValue: Child { Child() }
  }
}
