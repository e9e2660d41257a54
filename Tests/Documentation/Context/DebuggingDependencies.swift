@Suite("The code of Debugging dependencies")
private struct DebuggingDependencies {
  @Test("the explanation in the guide is real", .dependencies { $0.retryLimit = 1 })
  func explanation() throws {
    let text = withDependencies {
      $0.retryLimit = 0
    } operation: {
      DependencyScope.current.explain(\.retryLimit).description
    }
    let guide = try #require(ReadmeTests.pages.first { $0.name == "DebuggingDependencies" })
    let blocks = try guide.blocks.filter { $0.language == "text" }.map { withoutPlaces($0.text) }
    #expect(blocks.contains(withoutPlaces(text)), "\(text)")
  }

  private func withoutPlaces(_ text: String) -> String {
    text.replacing(/\w+\/\w+\.swift:\d+/, with: "…")
  }
}
