import ComposableReducers
import ComposableTesting
import StandardDependencies
import Testing

@testable import search

@Suite("Search", .dependencies { $0.searchClient = .searching(["Swift", "swallow", "Sweden"]) })
struct SearchTests {
  private let clock = TestClock()

  private func store() -> TestStore<SearchState, SearchAction> {
    TestStore(
      initialState: SearchState(), reducer: searchReducer,
      environment: SearchEnvironment().with(\.continuousClock, clock))
  }

  @Test("it searches when nobody has typed for 300 milliseconds")
  func debounces() async {
    let store = store()
    await store.send(.typed("s")) {
      $0.query = "s"
      $0.isSearching = true
    }
    await clock.advance(by: .milliseconds(299))
    await store.send(.typed("w")) { $0.query = "sw" }
    await clock.advance(by: .milliseconds(299))
    await store.send(.typed("i")) { $0.query = "swi" }
    await clock.advance(by: .milliseconds(300))
    await store.receive(.found(["Swift"])) {
      $0.results = ["Swift"]
      $0.isSearching = false
    }
    await store.finish()
  }

  @Test("a search that has waited is forgotten at the end")
  func ends() async {
    let store = store()
    await store.send(.typed("s")) {
      $0.query = "s"
      $0.isSearching = true
    }
    await store.send(.ended) { $0.hasEnded = true }
    await store.finish()
  }

  @Test("an erased query finds nothing")
  func erases() async {
    let store = store()
    await store.send(.typed("s")) {
      $0.query = "s"
      $0.isSearching = true
    }
    await store.send(.erased) { $0.query = "" }
    await clock.advance(by: .milliseconds(300))
    await store.receive(.found([])) { $0.isSearching = false }
    await store.finish()
  }

  @Test("pasted text is drawn in one frame, after the first key, and the end is always drawn")
  func debouncesDrawing() async {
    await DependencyScope.current.with(\.continuousClock, clock).run {
      let store = Store(
        initialState: SearchState(), reducer: searchReducer, environment: SearchEnvironment())
      let drawn = AsyncStream.makeStream(of: SearchState.self)
      async let drawing: Void = Search.draw(store) { drawn.continuation.yield($0) }
      var states = drawn.stream.makeAsyncIterator()
      #expect(await states.next()?.query == "")
      for key in "swift" { await store.send(.typed(key)) }
      await clock.advance(by: .seconds(1) / 60)
      #expect(await states.next()?.query == "swift")
      await store.send(.erased)
      await store.send(.ended)
      await clock.advance(by: .seconds(1) / 60)
      #expect(await states.next() == SearchState(query: "swif", isSearching: true, hasEnded: true))
      await drawing
    }
  }

  @Test("the screen shows the query, and what is found")
  func screen() {
    var state = SearchState(query: "sw", isSearching: true)
    #expect(Search.screen(for: state) == ["Search: sw …"])
    state.isSearching = false
    #expect(Search.screen(for: state) == ["Search: sw", "  nothing found"])
    state.results = ["Swift"]
    #expect(Search.screen(for: state) == ["Search: sw", "  Swift"])
  }
}
