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
    let runner = ScheduleRunner([DependenciesTrait.dependencies(reporting: .defaults)]) {
      scope.update { $0 = .current }
      _ = DependencyScope.current.mailer
    }
    let during = await failures { _ = await runner.run(.given(.plain), seed: 0) }
    #expect(during.count == 1, "\(during)")
    #expect(during.first?.message.contains("MailerKey") == true)
    let ended = try #require(scope.value)
    let after = await failures { ended.run { _ = DependencyScope.current.counter } }
    #expect(after.isEmpty, "\(after)")
  }

  @Test("records where a trait overrides dependencies")
  func places() async {
    let (explanation, line) = (Shared(""), #line + 1)
    let runner = ScheduleRunner([DependenciesTrait.dependencies { $0.uuid = .incrementing }]) {
      explanation.update { $0 = "\(DependencyScope.current.explain(\.uuid))" }
    }
    _ = await runner.run(.given(.plain), seed: 0)
    #expect(explanation.value.contains("overridden at \(#fileID):\(line)"), "\(explanation.value)")
  }

  @Test("knows its test, also in tasks that don't")
  func test() async throws {
    let test = try #require(Test.current)
    let scope = Shared<DependencyScope?>(nil)
    let runner = ScheduleRunner([]) { scope.update { $0 = .current } }
    _ = await runner.run(.given(.plain), seed: 0)
    let explored = try #require(scope.value)
    let found = await Task.detached { explored.run { TestContext.currentTest?.id } }.value
    #expect(found == test.id)
  }

  private struct Model {
    @Dependency(\.a) var a
  }

  /// Explores a body like a test with the trait.
  private func explored(_ body: @escaping @Sendable () async throws -> Void) async throws
    -> [Failure]
  {
    let test = try #require(Test.current)
    return try await recordedIssues {
      try await ExploringTrait.exploring(schedules: 30).provideScope(
        for: test, testCase: Test.Case.current, performing: body)
    }
  }

  @Test("rule 41: an override that reaches nothing fails a test once, not in each schedule")
  func passedOverride() async throws {
    let line = #line + 4
    let found = try await explored {
      let model = Model()
      await runTasks([2, 2, 2])
      withDependencies {
        $0.a = 10
      } operation: {
        #expect(model.a == 1)
      }
    }
    try #require(found.count == 2, "\(found)")
    #expect(found[0].message.hasPrefix("The override of \\.a (AKey) reaches nothing."))
    #expect(found[0].location?.line == line)
    #expect(found[1].message.contains("the plain order, which runs"), "\(found[1])")
  }

  @Test("rule 41: one that reaches nothing in a single order fails in that order")
  func passedInOneOrder() async throws {
    let found = try await explored {
      let models = Shared<[Model]>([])
      let read: @Sendable () -> Int = {
        models.update { if $0.isEmpty { $0.append(Model()) } }
        return models.value[0].a
      }
      async let inside = withDependencies {
        $0.a = 10
      } operation: {
        read()
      }
      async let outside = read()
      _ = await (inside, outside)
    }
    try #require(found.count == 2, "\(found)")
    #expect(found[0].message.hasPrefix("The override of \\.a (AKey) reaches nothing."))
    #expect(found[1].message.contains("Shrunk to 1 switch (▸)"), "\(found[1])")
  }

  @Test("rule 41: the overrides of a part of a test are judged at the test's end")
  func passedInAPart() async throws {
    let found = try await recordedIssues {
      try await withTestDependencies {
        let models = Shared<[Model]>([])
        try await explore(schedules: 20) {
          await runTasks([2, 2])
          let model = Model()
          withDependencies {
            $0.a = 10
          } operation: {
            #expect(model.a == 1)
            models.update { $0.append(Model()) }
          }
          withDependencies {
            $0.a = 20
          } operation: {
            #expect(model.a == 1)
          }
        }
        #expect(models.value.allSatisfy { $0.a == 10 })
      }
    }
    #expect(found.count == 1, "\(found)")
  }
}
