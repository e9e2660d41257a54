// Compiled in a target that isolates to the main actor by default, and in one that doesn't.

@Suite("The code of Modules isolated to the main actor")
private struct MainActorModules {
  @Test("a model reads the default")
  func defaults() async {
    let model = SearchModel()
    await model.find("swift")
    #expect(model.results == ["swift"])
  }
}
