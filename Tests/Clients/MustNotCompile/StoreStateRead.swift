import ComposableReducers

func read(_ store: Store<Int, Int>) -> Int {
  // error: actor-isolated property 'state' can not be referenced from a nonisolated context
  store.state
}

nonisolated func read(_ store: ObservableStore<Int, Int>) -> Int {
  // error: main actor-isolated property 'state' can not be referenced from a nonisolated context
  store.state
}

@MainActor func write(_ store: ObservableStore<Int, Int>) {
  // error: cannot assign to property: 'state' is a get-only property
  store.state = 1
}
