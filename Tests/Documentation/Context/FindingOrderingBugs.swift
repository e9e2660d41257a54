import TestSupport

@testable import ScheduleExploring
@testable import TestRuntime

@Suite("The code of Finding ordering bugs", .tooLongUnderSanitizers)
private struct FindingOrderingBugs {
  @Suite(.disabled("It fails, as the page says."))
  struct WithTheBug {
    // block: func showsTheAnswerToTheQuery
    // block: func hasWhatWasAdded
  }

  @Test(
    "the page shows the report of the search field's bug",
    .dependencies { $0.apiClient.search = interleaved(named: "search") { [$0] } })
  func report() async throws {
    let (report, diagram) = try await explored { try await WithTheBug().showsTheAnswerToTheQuery() }
    #if DEBUG
      #expect(try Self.blocks("text").first == report, "\(report)")
      #expect(try Self.blocks("mermaid") == [diagram])
    #endif
  }

  @Test("the page shows the report of the cart's bug")
  func failingCall() async throws {
    let report = try await explored { await WithTheBug().hasWhatWasAdded() }.report
    #if DEBUG
      #expect(try Self.blocks("text").last == report, "\(report)")
    #endif
  }

  private static func blocks(_ language: String) throws -> [String] {
    let page = try #require(ReadmeTests.pages.first { $0.name == "FindingOrderingBugs" })
    return try page.blocks.filter { $0.language == language }.map(\.text)
  }

  /// Explores a test that fails, and returns its report and its diagram.
  private func explored(
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws -> (report: String, diagram: String) {
    let exploring: ExploringTrait = .exploring()
    let test = try #require(Test.current)
    let failures = try await collectFailures {
      try await exploring.provideScope(
        for: test, testCase: Test.Case.current, performing: body)
    }
    #expect(failures.count == 2)
    let report = try #require(failures.last?.comments.first?.rawValue)
    // Its attachment, which no test can read.
    let token = try #require(report.firstMatch(of: /replaying\("(.*)"\)/)).1
    let schedule = try #require(ScheduleToken(String(token))).schedule
    let explorer = Explorer(test.traits.compactMap { $0 as? any ScheduleParticipant }, body)
    var trace: ScheduleTrace?
    await withKnownIssue {
      trace = await explorer.run(.given(schedule), seed: 0, isTraced: true).trace
    }
    var diagram = try ScheduleTable(trace: #require(trace)).diagram
    diagram.removeLast()
    return (report, diagram)
  }
}
