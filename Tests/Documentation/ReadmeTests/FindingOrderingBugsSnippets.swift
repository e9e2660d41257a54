import ComposableReducers
import ComposableTesting
import StandardDependencies
import Testing
import XCTest

struct Suggestions: Equatable {
  var query = ""
  var results: [String] = []
}

enum SuggestionsAction: Equatable {
  case typed(String)
  case found([String])
}

let suggestionsReducer = Reducer<Suggestions, SuggestionsAction, SearchPageEnvironment> {
  state, action, environment in
  switch action {
  case .typed(let query):
    state.query = query
    return .run { send in
      try await send(.found(environment.client.search(query)))
    }
  case .found(let results):
    state.results = results
    return .none
  }
}

let cancellingReducer = Reducer<Suggestions, SuggestionsAction, SearchPageEnvironment> {
  state, action, environment in
  switch action {
  case .typed(let query):
    state.query = query
    return .run { send in
      try await send(.found(environment.client.search(query)))
    }
    .cancellable(id: "search", cancelInFlight: true)
  case .found(let results):
    state.results = results
    return .none
  }
}

private let buggyReducer = suggestionsReducer

@Suite("The pages on ordering bugs")
struct FindingOrderingBugsSnippets {
  @Suite(.disabled("It fails, as the page says."))
  struct WithTheBug {
    /// In the place of the reducer with the bug, so that the same test can run without it.
    var suggestionsReducer = buggyReducer

    @Test(
      .exploring(),
      .dependencies {
        let clock = $0.continuousClock
        $0.apiClient.search = { query in
          try await clock.sleep(for: .seconds(1))
          return [query]
        }
      })
    func showsTheNewestAnswer() async {
      let store = TestStore(
        initialState: Suggestions(), reducer: suggestionsReducer,
        environment: SearchPageEnvironment())
      store.exhaustivity = .off
      await store.send(.typed("s"))
      await store.send(.typed("sw"))
      await store.finish()
      await store.skipReceivedActions()
      #expect(store.state.results == ["sw"])
    }
  }

  /// The search of the test above.
  private static let slowSearch: DependenciesTrait = .dependencies {
    let clock = $0.continuousClock
    $0.apiClient.search = { query in
      try await clock.sleep(for: .seconds(1))
      return [query]
    }
  }

  @Test("the search field's bug is found", slowSearch)
  func found() async throws {
    let exploring: ExploringTrait = .exploring()
    let test = try #require(Test.current)
    await withKnownIssue {
      try await exploring.provideScope(for: test, testCase: Test.Case.current) {
        await WithTheBug().showsTheNewestAnswer()
      }
    }
  }

  @Test("and is gone where a query cancels the one before it", .exploring(), slowSearch)
  func fixed() async {
    await WithTheBug(suggestionsReducer: cancellingReducer).showsTheNewestAnswer()
  }

  @Test(
    .exploring(schedules: 500),
    .dependencies { $0.apiClient.search = interleaved(named: "search") { [$0] } })
  func showsWhatIsFound() async {
    let store = TestStore(
      initialState: Suggestions(), reducer: suggestionsReducer,
      environment: SearchPageEnvironment())
    await store.send(.typed("swift")) { $0.query = "swift" }
    await store.receive(.found(["swift"])) { $0.results = ["swift"] }
    await store.finish()
  }
}

actor TapCounter {
  struct LostTap: Error {}

  private(set) var count = 0

  func tap() { count += 1 }
}

final class CounterTests: XCTestCase {
  func testCountsEachTap() async throws {
    try await explore(schedules: 200) {
      let counter = TapCounter()
      async let first: Void = counter.tap()
      async let second: Void = counter.tap()
      _ = await (first, second)
      let count = await counter.count
      if count != 2 { throw TapCounter.LostTap() }
    }
  }
}
