import ComposableReducers

nonisolated struct ListState: Equatable, Sendable {
  var rows: IdentifiedArray<Int, ListRow> = [ListRow(id: 1)]
  var counts: [String: Int] = ["one": 1]
  var count = 0
  var maybe: Int?
  var outer = Outer.inner(.number(1))
}

nonisolated struct ListRow: Identifiable, Equatable, Codable, Sendable {
  let id: Int
  var count = 0
}

enum ListAction {
  case row(Int, CountAction)
  case count(String, CountAction)
  case child(CountAction)
  case nothing
}

enum CountAction {
  case load
  case loaded(Int)
}

private nonisolated func counter<Environment>(
  _ environment: Environment.Type
) -> Reducer<Int, CountAction, Environment> {
  Reducer { state, action, _ in
    switch action {
    case .load:
      return .run { send in await send(.loaded(DependencyScope.current.limit)) }
    case .loaded(let number):
      state = number
      return .none
    }
  }
}

private nonisolated let rowCounter = counter(Child.self).pullback(
  state: \ListRow.count, action: /CountAction.self, environment: { (child: Child) in child })
private nonisolated let innerCounter = counter(Child.self).pullback(
  state: /Inner.number, action: /CountAction.self, environment: { (child: Child) in child })

/// The children's environments are named.
nonisolated let listWithNamedEnvironments = Reducer<ListState, ListAction, Feature>.combine(
  rowCounter.forEach(state: \.rows, action: /ListAction.row, environment: \.child),
  counter(Child.self).forEach(state: \.counts, action: /ListAction.count, environment: \.tuned),
  counter(Child.self).pullback(state: \.count, action: /ListAction.child, environment: \.other),
  counter(Child.self).optional().pullback(
    state: \.maybe, action: /ListAction.child, environment: \.other),
  innerCounter.pullback(state: /Outer.inner, action: /CountAction.self, environment: \.child)
    .pullback(state: \.outer, action: /ListAction.child, environment: { $0 }))

/// The children's environments are created, below parents of both kinds.
nonisolated let listWithMadeEnvironments = Reducer<ListState, ListAction, Settings>.combine([
  .empty,
  rowCounter.forEach(state: \.rows, action: /ListAction.row),
  counter(Settings.self).forEach(state: \.counts, action: /ListAction.count),
  counter(Settings.self).pullback(state: \.count, action: /ListAction.child),
  innerCounter.pullback(state: /Outer.inner, action: /CountAction.self)
    .pullback(
      state: \.outer, action: /ListAction.child, environment: { (_: Settings) in Feature() }),
])
