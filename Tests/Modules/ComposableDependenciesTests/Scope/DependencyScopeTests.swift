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
}
