import ComposableDependencies
import TestSupport
import Testing

@Suite("DependencyScope")
struct DependencyScopeTests {
  @Test("rule 2: an override changes only the value of its key")
  func overrideAndFrame() {
    let scope = DependencyScope.root.with(\.a, 10)
    #expect(scope.a == 10)
    #expect((scope.b, scope.c, scope.name) == (2, 3, "nobody"))
  }

  @Test("rule 2: the last override of a key wins")
  func lastOverrideWins() {
    #expect(DependencyScope.root.with(\.a, 10).with(\.b, 0).with(\.a, 11).a == 11)
  }

  @Test("rule 2: overrides of different keys commute")
  func overridesCommute() {
    let one = DependencyScope.root.with(\.a, 10).with(\.b, 20)
    let other = DependencyScope.root.with(\.b, 20).with(\.a, 10)
    #expect((one.a, one.b) == (10, 20))
    #expect((other.a, other.b) == (10, 20))
  }

  @Test("rule 3: a captured scope permanently reads the same overrides")
  func persistence() {
    let captured = DependencyScope.root.with(\.a, 10)
    captured.run {
      withDependencies {
        $0.a = 11
        $0.b = 12
      } operation: {
        #expect((captured.a, captured.b) == (10, 2))
        #expect((DependencyScope.current.a, DependencyScope.current.b) == (11, 12))
      }
    }
    #expect((captured.a, captured.b) == (10, 2))
  }

  @Test("a snapshot of the current scope is the current scope")
  func currentScope() {
    #expect(DependencyScope.current.a == 1)
    withDependencies {
      $0.a = 7
    } operation: {
      let snapshot = DependencyScope.current
      #expect(snapshot.a == 7)
      #expect(DependencyScope.root.a == 1)
    }
  }
}
