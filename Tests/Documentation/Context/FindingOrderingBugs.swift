import TestSupport

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
    let report = try await explored { try await WithTheBug().showsTheAnswerToTheQuery() }
    #if DEBUG
      #expect(try Self.blocks("text").first == report, "\(report)")
    #endif
  }

  @Test("the page shows the report of the cart's bug")
  func failingCall() async throws {
    let report = try await explored { await WithTheBug().hasWhatWasAdded() }
    #if DEBUG
      #expect(try Self.blocks("text").last == report, "\(report)")
    #endif
  }

  private static func blocks(_ language: String) throws -> [String] {
    let page = try #require(ReadmeTests.pages.first { $0.name == "FindingOrderingBugs" })
    return try page.blocks.filter { $0.language == language }.map(\.text)
  }

  /// Explores a test that fails, and returns its report.
  private func explored(
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws -> String {
    let exploring: ExploringTrait = .exploring()
    let test = try #require(Test.current)
    let failures = try await collectFailures {
      try await exploring.provideScope(
        for: test, testCase: Test.Case.current, performing: body)
    }
    #expect(failures.count == 2)
    // Places need debug information.
    return try #require(failures.last?.comments.first?.rawValue).replacing(/, at \S+:\d+/, with: "")
  }
}
