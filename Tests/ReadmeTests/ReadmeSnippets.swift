import ComposableEnvironment
import ComposableReducers
import ComposableTesting
import Dispatch
import Foundation
import GlobalEnvironment
import StandardDependencies
import Testing

// The README's code, in its order, word for word; `ReadmeTests` compares the two.

private enum RetryLimitKey: DependencyKey {
  static let defaultValue = 3
}

extension Dependencies {
  var retryLimit: Int {
    get { self[RetryLimitKey.self] }
    set { self[RetryLimitKey.self] = newValue }
  }
}

struct Uploader {
  @Dependency(\.retryLimit) var retryLimit
}

struct APIClient: DependencyKey {
  static let defaultValue = APIClient { query in ["live result for \(query)"] }
  var search: @Sendable (String) async throws -> [String]
}

extension Dependencies {
  var apiClient: APIClient {
    get { self[APIClient.self] }
    set { self[APIClient.self] = newValue }
  }

  /// Made from others: no key, and it sees their overrides.
  var isPatient: Bool { retryLimit > 1 }
}

struct Searcher {
  @Dependency(\.apiClient) var client
  @Dependency(\.retryLimit) var retryLimit

  func results(for query: String) async throws -> [String] {
    for _ in 1..<retryLimit {
      if let results = try? await client.search(query) { return results }
    }
    return try await client.search(query)
  }
}

func attempts() -> Int {
  DependencyScope.current.isPatient ? DependencyScope.current.retryLimit : 1
}

struct SearchEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.apiClient) var client
  @DerivedEnvironment<ResultsEnvironment> var results
}

struct ResultsEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @Dependency(\.retryLimit) var limit
}

struct TabsEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<SearchEnvironment> var search
  @DerivedEnvironment var hasty = SearchEnvironment().with(\.retryLimit, 1)
}

struct PageEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  var pageSize = 20

  mutating func adopt(from other: Self) {
    pageSize = other.pageSize
  }
}

private enum AttemptLimitKey: DependencyKey {
  static let defaultValue = 1
}

extension Dependencies {
  var attemptLimit: Int {
    get { self[AttemptLimitKey.self] }
    set { self[AttemptLimitKey.self] = newValue }
  }
}

struct AppEnvironment: ComposableEnvironment {
  let scope = DependencyScope.current
  @DerivedEnvironment<SearchEnvironment>(aliases: { $0.alias(\.attemptLimit, to: \.retryLimit) })
  var search
}

struct SettingsEnvironment: GlobalEnvironment {
  @DerivedEnvironment<SearchEnvironment> var search
}

func searchAll(_ queries: [String]) async -> [Int] {
  await withTaskGroup { group in
    for (index, query) in queries.enumerated() {
      group.addTask {
        await withDependencies {
          $0.retryLimit = index + 1
        } operation: {
          (try? await Searcher().results(for: query))?.count ?? 0
        }
      }
    }
    var counts: [Int] = []
    for await count in group { counts.append(count) }
    return counts
  }
}

enum SearchAction {
  case submitted(String)
  case found([String])
}

let searchReducer = Reducer<[String], SearchAction, SearchEnvironment> { results, action, search in
  switch action {
  case .submitted(let query):
    return .run { send in try await send(.found(search.client.search(query))) }
  case .found(let found):
    results = found
    return .none
  }
}

enum TabsAction { case search(SearchAction), hasty(SearchAction) }
struct TabsState { var search: [String] = [], hasty: [String] = [] }

let tabsReducer = Reducer<TabsState, TabsAction, TabsEnvironment>.combine(
  searchReducer.pullback(state: \.search, action: /TabsAction.search),
  searchReducer.pullback(state: \.hasty, action: /TabsAction.hasty, environment: \.hasty))

@Suite(.dependencies { $0.apiClient.search = { query in [query] } })
struct FeatureTests {
  let clock = TestClock()

  @Test func showsWhatIsFound() async {
    let store = TestStore(
      initialState: [], reducer: searchReducer, environment: SearchEnvironment())
    await store.send(.submitted("swift"))
    await store.receive(/SearchAction.found) { $0 = ["swift"] }
    await store.finish()
  }

  @Test func waitsASecond() async throws {
    let draft = withDependencies {
      $0.continuousClock = clock
    } operation: {
      Draft()
    }
    async let title = draft.title()
    await clock.advance(by: .seconds(1))
    #expect(try await title.contains(", "))
  }
}

@Suite(
  .dependencies {
    $0.retryLimit = 1
    $0.apiClient.search = unimplemented("apiClient.search")
  })
struct SearcherTests {
  let searcher = Searcher()

  @Test(.dependencies { $0.apiClient.search = { query in [query] } })
  func findsWhatIsAskedFor() async throws {
    #expect(try await searcher.results(for: "swift") == ["swift"])
  }

  @Test(.isolatedDependencies, arguments: 0..<100)
  func setsGlobally(limit: Int) {
    SettingsEnvironment().with(\.attemptLimit, limit)
    #expect(SettingsEnvironment().attemptLimit == limit)
  }
}

struct Draft {
  @Dependency(\.uuid) var uuid
  @Dependency(\.date) var date
  @Dependency(\.continuousClock) var clock
  @Dependency(\.randomNumberGenerator) var randomNumbers

  func title() async throws -> String {
    try await clock.sleep(for: .seconds(1))
    let number = randomNumbers { Int.random(in: 1...6, using: &$0) }
    return "\(uuid()) of \(date.now), \(number)"
  }
}

@Suite("Snippets of the README")
struct ReadmeSnippets {
  @Test("the example at the top")
  func example() {
    withDependencies {
      $0.retryLimit = 5
    } operation: {
      assert(Uploader().retryLimit == 5)  // here, and in every task made here
    }
    assert(Uploader().retryLimit == 3)
  }

  @Test("override")
  func override() async throws {
    let results = try await withDependencies {
      $0.retryLimit = 1
      $0.apiClient.search = { query in ["test result for \(query)"] }
    } operation: {
      try await Searcher().results(for: "swift")
    }
    #expect(results == ["test result for swift"])
  }

  @Test("scopes are values")
  func scopes() {
    let scope = DependencyScope.current.with(\.retryLimit, 10)
    assert(scope.retryLimit == 10)  // here and for ever
    assert(scope.run { attempts() } == 10)
    assert(DependencyScope.current.retryLimit == 3)
  }

  @Test("environments are values")
  func environments() {
    let search = SearchEnvironment()
    let patient = search.with(\.retryLimit, 10)
    assert(patient.retryLimit == 10)  // though it is not declared
    assert(patient.results.limit == 10)
    assert(search.results.limit == 3)  // an environment is a value
  }

  @Test("derived environments")
  func derived() {
    var tabs = TabsEnvironment()
    tabs.search.results[\.retryLimit] = 8
    tabs[\.retryLimit] = 9
    assert(tabs.search.retryLimit == 9)
    assert(tabs.search.results.limit == 8)
    assert(tabs.hasty.results.limit == 1)
  }

  @Test("adoption")
  func adoption() {
    #expect(PageEnvironment(pageSize: 50).with(\.retryLimit, 1).pageSize == 50)
  }

  @Test("aliases")
  func aliases() {
    DependencyScope.isolated().run {
      #expect(AppEnvironment().attemptLimit == 3)
      #expect(AppEnvironment().with(\.attemptLimit, 7).search.results.limit == 7)
    }
  }

  @Test("global values")
  func global() {
    DependencyScope.isolated().run {
      SettingsEnvironment().with(\.retryLimit, 5)
      assert(DependencyScope.current.retryLimit == 5)  // wherever no scope overrides it
      Dependencies.reset()
      assert(DependencyScope.current.retryLimit == 3)
    }
  }

  @Test("async")
  func async() async {
    #expect(await searchAll(["a", "b"]) == [1, 1])
  }

  @Test("boundaries")
  func boundaries() async {
    let queue = DispatchQueue(label: "uploads")
    let lines = AsyncStream<String> { $0.finish() }
    @Sendable func upload() {}
    @Sendable func audit() async {}
    let scope = DependencyScope.current
    queue.async(execute: scope.bind { upload() })
    Task.detached(in: scope) { await audit() }
    let trimmed = lines.map { $0.prefix(DependencyScope.current.retryLimit) }.scoped(to: scope)
    for await _ in trimmed {}
    queue.sync {}
  }

  @Test("reducers")
  func reducers() async {
    let store = Store(
      initialState: TabsState(), reducer: tabsReducer, environment: TabsEnvironment())
    await store.send(.hasty(.submitted("swift"))).finish()
    print(await store.state.hasty)
    #expect(await store.state.hasty == ["live result for swift"])
    #expect(await store.state.search == [])
  }

  @Test(
    "standard dependencies",
    .dependencies {
      $0.continuousClock = ImmediateClock()
      $0.date = .constant(Date(timeIntervalSince1970: 0))
      $0.uuid = .incrementing
      $0.randomNumberGenerator = .seeded(1)
    })
  func standard() async throws {
    let title = try await Draft().title()
    #expect(title.hasPrefix("\(UUID(0)) of \(Date(timeIntervalSince1970: 0)), "))
  }
}
