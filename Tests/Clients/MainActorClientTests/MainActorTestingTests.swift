import ComposableReducers
import ComposableTesting
import TestSupport
import Testing
import XCTest

// The tests of a module that isolates to the main actor by default.

private nonisolated let offline = Client(
  fetch: Dependencies.unimplemented("client.fetch", placeholder: "offline"))

private final class Ticker {
  var count = 0

  func tick(on clock: TestClock) async throws {
    for _ in 0..<3 {
      try await clock.sleep(for: .seconds(1))
      count += 1
    }
  }
}

@Suite("Tests of a module that isolates to the main actor", .dependencies { $0.limit = 1 })
struct MainActorTestingTests {
  let feature = Feature()

  @Test("run in the scope of their traits", .dependencies { $0.client = offline })
  func traits() async throws {
    MainActor.assertIsolated()
    #expect(feature.limit == 1)
    try await withKnownIssue {
      let fetched = try await feature.client.fetch()
      #expect(fetched == "offline")
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("`client.fetch` was used") }
    }
  }

  @Test("follow a feature whose state is nonisolated")
  func testStore() async {
    let store = TestStore(
      initialState: ListState(), reducer: listWithNamedEnvironments, environment: Feature())
    await store.send(.count("one", .loaded(2))) { $0.counts["one"] = 2 }
    await store.send(.row(1, .load))
    await store.receive(
      CasePath(ListAction.row) { if case .row(let id, let row) = $0 { (id, row) } else { nil } }
    ) { $0.rows[id: 1]?.count = 1 }
    await store.finish()
  }

  @Test("advance a clock through the sleeps of a task on the main actor", arguments: 0..<20)
  func clock(round: Int) async throws {
    let (clock, ticker) = (TestClock(), Ticker())
    async let end: Void = ticker.tick(on: clock)
    await clock.advance(by: .seconds(3))
    try await end
    #expect(ticker.count == 3)
  }
}

private final class SearchField {
  let search: @Sendable (String) async -> [String]
  var query = ""
  var results: [String] = []

  init(search: @escaping @Sendable (String) async -> [String]) {
    self.search = search
  }

  func type(_ text: String) async {
    query = text
    results = await search(text)
  }

  /// Keeps the older answer if it comes later.
  func typeCarefully(_ text: String) async {
    query = text
    let found = await search(text)
    if query == text { results = found }
  }
}

@Suite("The main actor is an actor (rule 40)")
struct MainActorOrderTests {
  private func type(
    _ type: @escaping @Sendable (SearchField, String) async -> Void
  ) async -> Bool {
    let field = SearchField(search: interleaved { [$0] })
    async let first: Void = type(field, "s")
    async let second: Void = type(field, "sw")
    _ = await (first, second)
    return field.results == [field.query]
  }

  @Test("a search field that shows an older answer is found out")
  func found() async throws {
    try await withKnownIssue {
      try await explore {
        #expect(await self.type { await $0.type($1) })
      }
    } matching: { issue in
      issue.comments.allSatisfy { $0.rawValue.contains("Shrunk to 1 switch") }
    }
  }

  @Test("a search field that keeps the newest answer passes", .exploring())
  func passes() async {
    MainActor.assertIsolated()
    #expect(await type { await $0.typeCarefully($1) })
  }

  @Test(
    "a clock waits for a task that takes many turns", .isolatedDependencies, .needsYields,
    arguments: 0..<20)
  func clock(round: Int) async throws {
    let (clock, ticker) = (TestClock(), Ticker())
    let task = Task {
      for _ in 0..<100 { await Task.yield() }
      try await ticker.tick(on: clock)
    }
    await clock.advance(by: .seconds(3))
    #expect(ticker.count == 3)
    try await task.value
  }
}

nonisolated final class MainActorXCTests: XCTestCase {
  @MainActor func testExploresTheMainActor() async throws {
    struct Overtaken: Error {}
    let exploration = try await explore { @MainActor in
      let field = SearchField(search: interleaved { [$0] })
      async let first: Void = field.typeCarefully("s")
      async let second: Void = field.typeCarefully("sw")
      _ = await (first, second)
      if field.results != [field.query] { throw Overtaken() }
    }
    XCTAssert(exploration.schedules > 1 && exploration.stepsFromOutside.isEmpty, "\(exploration)")
  }
}
