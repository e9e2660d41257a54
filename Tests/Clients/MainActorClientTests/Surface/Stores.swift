import ComposableReducers

func useStore() async -> ListState {
  let store = Store(
    initialState: ListState(), reducer: listWithMadeEnvironments, environment: Settings())
  let task: StoreTask = await store.send(.child(.load))
  await task.finish()
  await store.send(.row(1, .load)).cancel()
  let states: StateSequence<ListState> = store.states
  for await state in states { return state }
  var iterator: StateSequence<ListState>.Iterator = states.makeAsyncIterator()
  _ = await iterator.next()
  _ = await iterator.next(isolation: nil)
  return await store.state
}

@MainActor
func useObservableStore() async -> Bool {
  let store = ObservableStore(
    initialState: ListState(), reducer: listWithNamedEnvironments, environment: Feature())
  let row = store.child(state: \.rows[id: 1], action: { .row(1, $0) })
  await row.send(.load).finish()
  return row.state?.count == store.state.count
}
