import ComposableReducers
import ComposableTesting
import TestRuntime
import TestSupport
import Testing

@Suite("Misuse of the library in a test")
struct MisuseTests {
  private static func issue(_ number: Int = 0) -> DependencyIssue {
    DependencyIssue(
      problem: "It is wrong, \(number).", remedy: "the right thing.", fileID: "App/Main.swift",
      line: 7)
  }

  private func failsTest(_ number: Int = 0) async {
    await expectFailure {
      #expect(MisuseHandler.fail(over: Self.issue(number)))
    } matching: { issue in
      issue.comments.first?.rawValue.hasPrefix(Self.issue(number).description) == true
        && issue.sourceLocation?.fileID == "App/Main.swift" && issue.sourceLocation?.line == 7
    }
  }

  @Test("fails a test with the trait, in any scope", .isolatedDependencies)
  func trait() async {
    await failsTest()
    await DependencyScope.root.run { await failsTest() }
    await withTaskGroup { $0.addTask { await failsTest(1) } }
  }

  @Test("that happens again fails the test once, and is counted at its end")
  func again() async {
    let failures = await failures {
      withTestDependencies {
        for number in 0..<1_000 { _ = MisuseHandler.fail(over: Self.issue(number % 2)) }
        _ = MisuseHandler.fail(over: Self.issue(2))
      }
    }
    // One may warn of what the process's runtime doesn't show.
    let messages = failures.map(\.message).filter { !$0.hasPrefix("In this process") }
    let counts = messages.filter { $0.hasPrefix("This happened 500 times: ") }
    #expect(messages.count - counts.count == 3)
    #expect(counts.count == (recordsWarnings ? 2 : 0))
  }

  @Test("fails a test in its own scope")
  func scope() async {
    await withTestDependencies { await failsTest() }
    await withTestDependencies { await Task { await failsTest() }.value }
  }

  @Test("at an unknown place fails the test at its own place", .isolatedDependencies)
  func unknownPlace() async throws {
    let test = try #require(Test.current)
    let issues = [
      DependencyIssue(problem: "It is wrong.", remedy: "it.", fileID: "App/Main.swift", line: 0),
      DependencyIssue(problem: "It is wrong.", remedy: "it.", fileID: "Main.swift", line: 7),
    ]
    for issue in issues {
      await expectFailure {
        issue.report()
      } matching: { failure in
        failure.sourceLocation == test.sourceLocation
          && failure.comments.contains { $0.rawValue.contains("It is wrong.") }
      }
    }
  }

  @Test("fails a test without its own scope, too")
  func noScope() async {
    await failsTest()
    await DependencyScope.isolated().run { await failsTest() }
    await Task { await failsTest() }.value
  }

  @Test("the library's own reports fail the test", .isolatedDependencies)
  func own() async {
    let closeCycle = { _ = Settings().aliasing(\.a, to: \.b).aliasing(\.b, to: \.a) }
    await expectFailure {
      closeCycle()
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("would close a cycle") }
    }
    #expect(issues { closeCycle() }.count == 1, "a test that collects issues doesn't fail")
  }

  private struct Settings: GlobalEnvironment {}
}
