import ComposableReducers
import StandardDependencies

struct SearchState: Equatable {
  var query = ""
  var results: [String] = []
  var isSearching = false
  var hasEnded = false
}

enum SearchAction: Equatable {
  case typed(Character)
  case erased
  case found([String])
  case ended
}

struct SearchEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.continuousClock) var clock
  @Dependency(\.searchClient) var client
}

private enum SearchID { case typing }

/// A search field that searches when nobody has typed for 300 milliseconds.
let searchReducer = Reducer<SearchState, SearchAction, SearchEnvironment> {
  state, action, environment in
  switch action {
  case .typed(let character):
    state.query.append(character)
  case .erased:
    _ = state.query.popLast()
  case .found(let results):
    state.results = results
    state.isSearching = false
    return .none
  case .ended:
    state.hasEnded = true
    return .cancel(id: SearchID.typing)
  }
  state.isSearching = true
  // Each key cancels the search that the one before it began.
  return .run { [query = state.query] send in
    await send(.found(environment.client.search(query)))
  }
  .debounce(id: SearchID.typing, for: .milliseconds(300), clock: environment.clock)
}

/// Finds lines that contain a text.
struct SearchClient: DependencyKey {
  var search: @Sendable (_ query: String) async -> [String]

  static let defaultValue = SearchClient { _ in [] }
}

extension SearchClient {
  /// Returns a client that searches these lines.
  static func searching(_ lines: [String]) -> SearchClient {
    SearchClient { query in
      guard !query.isEmpty else { return [] }
      let query = query.lowercased()
      return Array(lines.lazy.filter { $0.lowercased().contains(query) }.prefix(10))
    }
  }
}

extension Dependencies {
  /// Finds lines that contain a text.
  var searchClient: SearchClient {
    get { self[SearchClient.self] }
    set { self[SearchClient.self] = newValue }
  }
}
