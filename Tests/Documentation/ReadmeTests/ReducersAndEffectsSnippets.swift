import ComposableReducers
import ComposableTesting
import Testing

private enum TypingClockKey: DependencyKey {
  static let defaultValue: any Clock<Duration> = ContinuousClock()
}

extension Dependencies {
  var typingClock: any Clock<Duration> {
    get { self[TypingClockKey.self] }
    set { self[TypingClockKey.self] = newValue }
  }
}

struct SearchPage: Equatable {
  var query = ""
  var results: [String] = []
  var problem: String?
}

enum SearchPageAction {
  case queryChanged(String)
  case found([String])
  case failed(String)
  case closed
}

struct SearchPageEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.apiClient) var client
  @Dependency(\.typingClock) var clock
}

private enum SearchID { case typing }

let searchPageReducer = Reducer<SearchPage, SearchPageAction, SearchPageEnvironment> {
  page, action, environment in
  switch action {
  case .queryChanged(let query):
    page.query = query
    return .run { send in
      try await send(.found(environment.client.search(query)))
    } catch: { error, send in
      await send(.failed("\(error)"))
    }
    .debounce(id: SearchID.typing, for: .milliseconds(300), clock: environment.clock)
  case .found(let results):
    page.results = results
    return .none
  case .failed(let problem):
    page.problem = problem
    return .none
  case .closed:
    return .cancel(id: SearchID.typing)
  }
}

struct Browser {
  var start = SearchPage()
  var tabs: IdentifiedArray<Int, Tab> = []
}

struct Tab: Identifiable {
  let id: Int
  var page = SearchPage()
}

enum BrowserAction {
  case start(SearchPageAction)
  case tab(Int, SearchPageAction)
  case newTab
}

struct BrowserEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment var start = SearchPageEnvironment().with(\.retryLimit, 1)
}

let tabReducer: Reducer<Tab, SearchPageAction, SearchPageEnvironment> = searchPageReducer.pullback(
  state: \.page, action: /.self)

let browserReducer = Reducer<Browser, BrowserAction, BrowserEnvironment>.combine(
  searchPageReducer.pullback(
    state: \.start, action: /BrowserAction.start, environment: \.start),
  tabReducer.forEach(state: \.tabs, action: /BrowserAction.tab),
  Reducer { browser, action, _ in
    if case .newTab = action {
      browser.tabs.append(Tab(id: (browser.tabs.ids.max() ?? 0) + 1))
    }
    return .none
  }
)

@Suite("Snippets of Reducers and effects")
struct ReducersAndEffectsSnippets {
  private let clock = TestClock()

  @Test("a feature waits until nobody types")
  func feature() async {
    await withDependencies {
      $0.typingClock = clock
    } operation: {
      let store = Store(
        initialState: SearchPage(), reducer: searchPageReducer, environment: SearchPageEnvironment()
      )
      let task = await store.send(.queryChanged("swift"))
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .milliseconds(300))
      await task.finish()
      #expect(await store.state.results == ["live result for swift"])
      await store.send(.queryChanged("swift 6"))
      await store.send(.closed).finish()
      #expect(await store.state.results == ["live result for swift"])
    }
  }

  @Test("a store")
  func store() async {
    let store = Store(
      initialState: SearchPage(), reducer: searchPageReducer, environment: SearchPageEnvironment())
    await store.send(.queryChanged("swift")).finish()
    let results = await store.state.results
    #expect(results == ["live result for swift"])
  }

  @Test("an observable store")
  @MainActor
  func observableStore() {
    let store = ObservableStore(
      initialState: SearchPage(), reducer: searchPageReducer, environment: SearchPageEnvironment())
    let query = store.binding(\.query, send: SearchPageAction.queryChanged)
    query.wrappedValue = "swift"
    assert(store.state.query == "swift")
  }

  @Test("a parent")
  func parent() async {
    await withDependencies {
      $0.apiClient.search = { ["\($0) \(DependencyScope.current.retryLimit)"] }
    } operation: {
      let store = Store(
        initialState: Browser(), reducer: browserReducer, environment: BrowserEnvironment())
      await store.send(.newTab)
      await store.send(.tab(1, .queryChanged("tab"))).finish()
      await store.send(.start(.queryChanged("start"))).finish()
      #expect(await store.state.tabs[id: 1]?.page.results == ["tab 3"])
      #expect(await store.state.start.results == ["start 1"])
    }
  }

  @Test("a case path")
  func casePath() {
    let start = CasePath<BrowserAction, SearchPageAction>(
      embed: { .start($0) },
      extract: { if case .start(let action) = $0 { action } else { nil } })
    #expect(start.extract(from: .newTab) == nil)
    #expect(start.extract(from: start.embed(.closed)) != nil)
  }
}
