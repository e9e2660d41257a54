import ComposableReducers
import ComposableTesting
import Testing

// The tests of a module that isolates to the main actor by default.

private nonisolated let offline = Client(
  fetch: unimplemented("client.fetch", placeholder: "offline"))

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
      issue.comments.contains { $0.rawValue.hasPrefix("`client.fetch` was used") }
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
