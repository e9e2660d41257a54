import ComposableTesting
import Synchronization
import TestSupport
import Testing

@Suite("Misuse of the library in a test")
struct MisuseTests {
  private static let issue = DependencyIssue(
    problem: "It is wrong.", remedy: "the right thing.", fileID: "App/Main.swift", line: 7)

  /// Hands a misuse to what the handler of the process does, and tells whether it was passed on.
  private func isPassedOn() -> Bool {
    let issues = Mutex<[DependencyIssue]>([])
    Misuse.handle(Self.issue) { issue in issues.withLock { $0.append(issue) } }
    return issues.withLock { $0 } == [Self.issue]
  }

  private func failsTest() {
    withKnownIssue {
      #expect(!isPassedOn())
    } matching: { issue in
      issue.comments.map(\.rawValue) == [Self.issue.description]
        && issue.sourceLocation?.fileID == "App/Main.swift" && issue.sourceLocation?.line == 7
    }
  }

  @Test("it fails a test with the trait, in whichever scope it happens", .isolatedDependencies)
  func trait() async {
    failsTest()
    DependencyScope.root.run { failsTest() }
    await withTaskGroup { $0.addTask { failsTest() } }
  }

  @Test("it fails a test in a scope made for it")
  func scope() async {
    withTestDependencies { failsTest() }
    await withTestDependencies { await Task { failsTest() }.value }
  }

  @Test("a test without a scope of its own goes on as before")
  func noScope() {
    #expect(isPassedOn())
    #expect(DependencyScope.isolated().run { isPassedOn() })
  }

  @Test("the library's own reports fail the test", .isolatedDependencies)
  func own() {
    let closeCycle = { _ = Settings().aliasing(\.a, to: \.b).aliasing(\.b, to: \.a) }
    withKnownIssue {
      closeCycle()
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("would close a cycle") }
    }
    #expect(issues { closeCycle() }.count == 1, "a test that collects issues does not fail")
  }

  private struct Settings: GlobalEnvironment {}
}
