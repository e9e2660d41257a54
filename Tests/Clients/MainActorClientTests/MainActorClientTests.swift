import ComposableReducers
import ComposableTesting
import Testing

// The code of a module that isolates to the main actor by default.

final class Model {
  @Dependency(\.limit) var limit
  var feature = Feature()
  private(set) var text = ""

  func load() async throws {
    feature.tuned[\.limit] = 6
    try await feature.scope.run {
      text = try await feature.client.fetch() + "\(limit)"
    }
  }
}

final class ListView {
  let store = ObservableStore(
    initialState: ListState(), reducer: listWithNamedEnvironments, environment: Feature())

  var text: String { "\(store.state.rows.map(\.count))" }
}

@Suite("A module isolated to the main actor by default", .isolatedDependencies)
struct MainActorClientTests {
  @Test("declares keys, dependencies and environments, and reads them anywhere")
  func client() async throws {
    let model = withDependencies {
      $0.limit = 4
      $0.client.fetch = { "test" }
    } operation: {
      Model()
    }
    try await model.load()
    #expect(model.text == "test4")
    #expect(model.feature.tuned.limit == 6)
    #expect(await Task.detached { DependencyScope.current.limit }.value == 0)
  }

  @Test("runs reducers in both kinds of store")
  func reducers() async {
    let view = DependencyScope.current.with(\.limit, 4).run { ListView() }
    await view.store.send(.row(1, .load)).finish()
    await view.store.send(.count("one", .load)).finish()
    #expect(view.text == "[4]")
    #expect(view.store.state.counts == ["one": 5])
    let store = Store(
      initialState: ListState(), reducer: listWithNamedEnvironments, environment: Feature())
    await store.send(.row(1, .loaded(9)))
    await store.send(.row(1, .load)).finish()
    #expect(await store.state.rows[id: 1]?.count == 0)  // the test value
  }
}
