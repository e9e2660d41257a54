import TestSupport
import XCTest

private let buggyReducer = suggestionsReducer

private let cancellingReducer = Reducer<Suggestions, SuggestionsAction, SearchPageEnvironment> {
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

@Suite("The code of Finding ordering bugs", .tooLongUnderSanitizers)
private struct FindingOrderingBugs {
  @Suite(.disabled("It fails, as the page says."))
  struct WithTheBug {
    /// In the place of the reducer with the bug, so that the same test can run without it.
    var suggestionsReducer = buggyReducer

    // block: func showsTheNewestAnswer
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
}

actor TapCounter {
  struct LostTap: Error {}

  private(set) var count = 0

  func tap() { count += 1 }
}

actor Purse {
  private(set) var amount = 0

  func add(_ amount: Int) { self.amount += amount }
}
