import ComposableDependencies
import TestSupport
import Testing

@Suite("The scope that code enters for an environment")
struct CapturedScopeTests {
  private struct Environment: ScopeCapturing { let scope = DependencyScope.current }

  private let scope = DependencyScope.isolated().with(\.a, 10)

  /// A scope with `b` as the environment's own override.
  private func marked() -> CapturedScope {
    CapturedScope(
      scope.run { Environment() }.recreated(fileID: #fileID, line: #line) { $0.b = 20 }.scope)
  }

  @Test("a scope without marks is entered as it is")
  func plain() {
    let captured = CapturedScope(scope)
    #expect(!captured.isMarked)
    #expect(captured.entered.identity == scope.identity)
  }

  @Test("the entered scope leaves the marks of an environment with overrides of its own")
  func withoutMarks() {
    let captured = marked()
    #expect(captured.isMarked)
    #expect(!CapturedScope(captured.entered).isMarked)
    #expect((captured.entered.a, captured.entered.b) == (10, 20))
  }

  @Test("rule 12: aliases declared or cleared later outdate it")
  func outdated() {
    let captured = marked()
    #expect(!captured.aliases.areOutdated)
    scope.alias(\.b, to: \.a, fileID: #fileID, line: #line)
    #expect(captured.aliases.areOutdated)
    let renewed = CapturedScope(captured.captured)
    #expect(!renewed.aliases.areOutdated)
    #expect((captured.entered.a, renewed.entered.a) == (10, 20))
    scope.run { Dependencies.clearAliases() }
    #expect(renewed.aliases.areOutdated)
  }
}
