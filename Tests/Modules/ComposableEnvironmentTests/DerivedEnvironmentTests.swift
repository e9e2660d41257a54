@testable import Environments
import ComposableEnvironment
import Synchronization
import TestSupport
import Testing

@Suite("@DerivedEnvironment")
struct DerivedEnvironmentTests {
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

  @Test(
    "rule 19: of two children that are created at once, the first one stays, and both are freed")
  func published() {
    weak var first: Token?
    weak var second: Token?
    do {
      let cell = DerivedEnvironment<Second>().cell
      let (one, two) = (Second(), Second())
      (first, second) = (one.token, two.token)
      let published = unsafe (cell.publish(one).toOpaque(), cell.publish(two).toOpaque())
      #expect(unsafe published.0 == published.1)
      #expect(cell.environment.token === one.token)
    }
    #expect(first == nil && second == nil)
  }

  @Test("a child that was created in its parent's scope is the one that was given")
  func sameScope() {
    struct Parent: ComposableEnvironment {
      let scope = DependencyScope.current
      @DerivedEnvironment var child = Second()
    }
    let child = Second()
    var parent = Parent()
    parent.child = child
    #expect(parent.child.token === child.token)
    #expect(parent.with(\.a, 10).child.token !== child.token)
  }

  @Test("rule 19: two threads that read a child first get the same one")
  func racingOnThreads() {
    let parents = (0..<1_000).map { _ in First() }
    let tokens = onTwoThreads(rounds: 1_000) { round, _ in
      let token = parents[round].second.token
      return (token, number: token.number)
    }
    #expect(tokens.allSatisfy { $0.first.0 === $0.second.0 && $0.second.number == 7 })
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

  @Test("a declared child that an assigned one replaces can read the new parent when it is freed")
  func freedWhenReplaced() {
    struct Child: ComposableEnvironment { let scope = DependencyScope.current }
    enum TrackedKey: DependencyKey { static var defaultValue: Tracked? { nil } }
    struct Deriving: ComposableEnvironment {
      static let latest = Mutex<Self?>(nil)
      static let reads = Mutex<[Int?]>([])
      let scope = DependencyScope.current
      @DerivedEnvironment var child = Child().with {
        $0[TrackedKey.self] = Tracked(atEnd: Self.read)
      }

      init() {
        let created = self
        // Freed after the lock.
        _ = Self.latest.withLock { latest in
          defer { latest = created }
          return latest
        }
      }

      @Sendable static func read() {
        let number = latest.withLock { $0 }?.child.a
        reads.withLock { $0.append(number) }
      }
    }
    let original = Deriving()
    var deriving = original
    deriving.child = Child().with(\.a, 10)
    withExtendedLifetime(original) {
      let reported = issues { #expect(deriving.with(\.b, 20).child.a == 10) }
      #expect(reported.isEmpty)
      #expect(Deriving.reads.withLock { $0 } == [10])
    }
  }
}

private struct Parent: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.a) var declared
  @DerivedEnvironment<Child> var child
  @DerivedEnvironment var tuned = Child().with(\.a, 3)
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

private final class Token: Sendable {
  // Not a literal, whose reads the optimizer would replace.
  let number = Int("7")
}
