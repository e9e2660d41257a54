import TestSupport

@testable import ScheduleExploring

@Suite("The code of Finding ordering bugs", .tooLongUnderSanitizers)
private struct FindingOrderingBugs {
  @Suite(.disabled("It fails, as the page says."))
  struct WithTheBug {
    // block: func showsTheAnswerToTheQuery
  }

  @Test(
    "the page shows the report of the search field's bug",
    .dependencies { $0.apiClient.search = interleaved(named: "search") { [$0] } })
  func report() async throws {
    let exploring: ExploringTrait = .exploring()
    let test = try #require(Test.current)
    let failures = try await collectFailures {
      try await exploring.provideScope(for: test, testCase: Test.Case.current) {
        try await WithTheBug().showsTheAnswerToTheQuery()
      }
    }
    #expect(failures.count == 2)
    #if DEBUG
      let page = try #require(ReadmeTests.pages.first { $0.name == "FindingOrderingBugs" })
      let texts = failures.flatMap { $0.comments.map(\.rawValue) }
      let blocks = try page.blocks.filter { $0.language == "text" }.map(\.text)
      #expect(blocks.count == 1 && blocks.allSatisfy(texts.contains), "\(texts)")
      // Its attachment, which no test can read.
      let token = try #require(blocks[0].firstMatch(of: /replaying\("(.*)"\)/)).1
      let schedule = try #require(ScheduleToken(String(token))).schedule
      let explorer = Explorer(test.traits.compactMap { $0 as? any ScheduleParticipant }) {
        try await WithTheBug().showsTheAnswerToTheQuery()
      }
      var trace: ScheduleTrace?
      await withKnownIssue {
        trace = await explorer.run(.given(schedule), seed: 0, isTraced: true).trace
      }
      let diagram = try ScheduleTable(trace: #require(trace)).diagram
      let diagrams = try page.blocks.filter { $0.language == "mermaid" }.map { $0.text + "\n" }
      #expect(diagrams == [diagram])
    #endif
  }
}
