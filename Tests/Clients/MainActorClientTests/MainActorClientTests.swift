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

nonisolated struct CounterState: Equatable {
  var count = 0
  var rows: IdentifiedArray<Int, Row> = [Row(id: 1)]
}

nonisolated struct Row: Identifiable, Equatable {
  let id: Int
  var count = 0
}

enum CounterAction {
  case add
  case row(Int, RowAction)
}

enum RowAction {
  case load
  case loaded(Int)
}

nonisolated let rowReducer = Reducer<Row, RowAction, Child> { state, action, environment in
  switch action {
  case .load:
    return .run { send in await send(.loaded(environment.limit)) }
  case .loaded(let number):
    state.count = number
    return .none
  }
}

nonisolated let counterReducer = Reducer<CounterState, CounterAction, Feature>.combine(
  rowReducer.forEach(
    state: \.rows,
    action: CasePath(CounterAction.row) {
      if case .row(let id, let action) = $0 { (id, action) } else { nil }
    }),
  Reducer { state, action, environment in
    if case .add = action { state.count += environment.limit }
    return .none
  })

final class CounterView {
  let store = ObservableStore(
    initialState: CounterState(), reducer: counterReducer, environment: Feature())

  var text: String { "\(store.state.count)" }
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
    #expect(await Task.detached { DependencyScope.current.limit }.value == 3)
  }

  @Test("declares reducers, and runs them in both kinds of store")
  func reducers() async {
    let view = DependencyScope.current.with(\.limit, 4).run { CounterView() }
    await view.store.send(.add).finish()
    await view.store.send(.row(1, .load)).finish()
    #expect(view.text == "4")
    #expect(view.store.state.rows[id: 1]?.count == 4)
    let store = Store(
      initialState: CounterState(), reducer: counterReducer, environment: Feature())
    await store.send(.add)
    #expect(await store.state.count == 0)  // the test value
  }
}
