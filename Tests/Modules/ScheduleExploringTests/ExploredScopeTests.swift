import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("The scope of a schedule")
struct ExploredScopeTests {
  @Test("reports reads until the schedule ends")
  func reports() async throws {
    let scope = Shared<DependencyScope?>(nil)
    let explorer = Explorer([DependenciesTrait.dependencies(reporting: .defaults)]) {
      scope.update { $0 = .current }
      _ = DependencyScope.current.mailer
    }
    let during = await failures { _ = await explorer.run(.given(.plain), seed: 0) }
    #expect(during.count == 1, "\(during)")
    #expect(during.first?.message.contains("MailerKey") == true)
    let ended = try #require(scope.value)
    let after = await failures { ended.run { _ = DependencyScope.current.counter } }
    #expect(after.isEmpty, "\(after)")
  }

  @Test("records where a trait overrides dependencies")
  func places() async {
    let (explanation, line) = (Shared(""), #line + 1)
    let explorer = Explorer([DependenciesTrait.dependencies { $0.uuid = .incrementing }]) {
      explanation.update { $0 = "\(DependencyScope.current.explain(\.uuid))" }
    }
    _ = await explorer.run(.given(.plain), seed: 0)
    #expect(explanation.value.contains("overridden at \(#fileID):\(line)"), "\(explanation.value)")
  }

  @Test("knows its test, also in tasks that don't")
  func test() async throws {
    let test = try #require(Test.current)
    let scope = Shared<DependencyScope?>(nil)
    let explorer = Explorer([]) { scope.update { $0 = .current } }
    _ = await explorer.run(.given(.plain), seed: 0)
    let explored = try #require(scope.value)
    let found = await Task.detached { explored.run { TestContext.currentTest?.id } }.value
    #expect(found == test.id)
  }
}
