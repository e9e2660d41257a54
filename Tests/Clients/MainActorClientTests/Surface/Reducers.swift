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
  state: \ListRow.count, action: .identity, environment: { (child: Child) in child })
private nonisolated let innerCounter = counter(Child.self).pullback(
  state: CasePath(Inner.number) { if case .number(let state) = $0 { state } else { nil } },
  action: .identity, environment: { (child: Child) in child })

/// The children's environments are named.
nonisolated let listWithNamedEnvironments = Reducer<ListState, ListAction, Feature>.combine(
  rowCounter.forEach(
    state: \.rows,
    action: CasePath(ListAction.row) {
      if case .row(let id, let action) = $0 { (id, action) } else { nil }
    }, environment: \.child),
  counter(Child.self).forEach(
    state: \.counts,
    action: CasePath(ListAction.count) {
      if case .count(let id, let action) = $0 { (id, action) } else { nil }
    }, environment: \.tuned),
  counter(Child.self).pullback(
    state: \.count,
    action: CasePath(ListAction.child) { if case .child(let action) = $0 { action } else { nil } },
    environment: \.other),
  counter(Child.self).optional().pullback(
    state: \.maybe,
    action: CasePath(ListAction.child) { if case .child(let action) = $0 { action } else { nil } },
    environment: \.other),
  innerCounter.pullback(
    state: CasePath(Outer.inner) { if case .inner(let state) = $0 { state } else { nil } },
    action: .identity, environment: \.child
  )
  .pullback(
    state: \.outer,
    action: CasePath(ListAction.child) { if case .child(let action) = $0 { action } else { nil } },
    environment: { $0 }))

/// The children's environments are created, below parents of both kinds.
nonisolated let listWithMadeEnvironments = Reducer<ListState, ListAction, Settings>.combine([
  .empty,
  rowCounter.forEach(
    state: \.rows,
    action: CasePath(ListAction.row) {
      if case .row(let id, let action) = $0 { (id, action) } else { nil }
    }),
  counter(Settings.self).forEach(
    state: \.counts,
    action: CasePath(ListAction.count) {
      if case .count(let id, let action) = $0 { (id, action) } else { nil }
    }),
  counter(Settings.self).pullback(
    state: \.count,
    action: CasePath(ListAction.child) { if case .child(let action) = $0 { action } else { nil } }),
  innerCounter.pullback(
    state: CasePath(Outer.inner) { if case .inner(let state) = $0 { state } else { nil } },
    action: .identity
  )
  .pullback(
    state: \.outer,
    action: CasePath(ListAction.child) { if case .child(let action) = $0 { action } else { nil } },
    environment: { (_: Settings) in Feature() }),
])
