import TestSupport

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
    #endif
  }
}
