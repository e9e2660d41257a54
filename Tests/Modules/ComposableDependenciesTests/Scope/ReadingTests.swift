import TestSupport
import Testing

@testable import ComposableDependencies

@Suite("Reading")
struct ReadingTests {
  @Test("rule 1: a read allocates nothing", .enabled(if: Allocations.areCounted))
  func readsAllocateNothing() {
    let members = ManyKeys.first(20)
    let isolated = DependencyScope.isolated()
    isolated.setGlobally(\.c, 30)
    isolated.alias(\.d, to: \.c, fileID: #fileID, line: #line)
    let overriding = DependencyScope.isolated().with {
      ($0.a, $0.b, $0.c, $0.d) = (10, 20, 30, 40)
      $0[SeparateKey.self] = 50
    }
    var scopes = [overriding, members.reduce(overriding) { $0.with($1, 0) }]
    #if !DEBUG  // Unoptimized, taking a lock allocates, and so does looking for cycles of defaults.
      let root = DependencyScope.isolated()
      scopes += [root, members.reduce(root.with(\.a, 10)) { $0.with($1, 0) }]
      scopes += [isolated, members.reduce(isolated.with(\.a, 10)) { $0.with($1, 0) }]
    #endif
    func read(_ scope: DependencyScope, _ a: Dependency<Int>, _ type: Dependency<Int>) {
      for _ in 0..<10 {
        _ = scope.a + scope[\.b] + scope.c + scope.d + DependencyScope.current.a
        _ = a.wrappedValue + type.wrappedValue
      }
    }
    for scope in scopes {
      scope.run {
        let (a, type) = (Dependency(\.a), Dependency(SeparateKey.self))
        read(scope, a, type)  // instantiates key paths and metadata, once in the process
        #expect(Allocations.fewest { read(scope, a, type) } == Allocations {})
      }
    }
  }

  /// Runs `body` while the store of a scope is locked; locking a lock that is already held traps.
  private func whileLocked(_ scope: DependencyScope, _ body: () -> Void) {
    var hasRun = false
    scope.node.store.state.write { _ in
      body()
      hasRun = true
    }
    #expect(hasRun)
  }

  @Test("rule 1: a read takes no lock, unless its own dependency is set globally or aliased")
  func readsTakeNoLock() {
    let scope = DependencyScope.isolated()
    let overriding = scope.with(\.a, 10)
    func expectNoLock() {
      whileLocked(scope) {
        #expect((overriding.a, overriding.b, scope.b) == (10, 2, 2))
        scope.run { #expect((overriding.a, DependencyScope.current.b) == (10, 2)) }
      }
    }
    expectNoLock()
    scope.setGlobally(\.c, 30)
    scope.alias(\.d, to: \.c, fileID: #fileID, line: #line)
    expectNoLock()
    scope.setGlobally(\.a, 20)
    expectNoLock()
  }

  @Test("a value read from a scope outlives the scope")
  func readingFromTemporaries() {
    func make(_ number: Int) -> DependencyScope {
      .isolated().with(\.name, String(repeating: "long enough for the heap ", count: number))
    }
    var characters = 0
    for number in 1...1_000 {
      characters += make(number).name.count
      characters += make(number).with(\.a, 1).run { DependencyScope.current }.name.count
      characters += make(number).run { Dependency(\.name) }.wrappedValue.count
    }
    #expect(characters == 3 * 25 * 500_500)
  }

  @Test("entering the current scope binds nothing")
  func enteringTheCurrentScope() {
    let scope = DependencyScope.root.with(\.a, 10)
    scope.run {
      #expect(Allocations.fewest { scope.run {} } == Allocations {})
      #expect(scope.run { CurrentScope.node } === scope.node)
    }
  }
}

private enum SeparateKey: DependencyKey {
  static var defaultValue: Int { 5 }
}
