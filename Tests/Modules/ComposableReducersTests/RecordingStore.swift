import ComposableReducers

/// The actions of a store that records what its effects send.
enum RecordingAction: Sendable {
  case start(Int)
  case cancel(Int)
  case record(String)
}

/// Creates a store that runs an effect for each `.start`, and records what effects send.
func recordingStore(
  _ effect: @escaping @Sendable (Int) -> Effect<RecordingAction>
) -> Store<[String], RecordingAction> {
  Store(
    initialState: [],
    reducer: Reducer { state, action, _ in
      switch action {
      case .start(let number):
        return effect(number)
      case .cancel(let id):
        return .cancel(id: id)
      case .record(let text):
        state.append(text)
        return .none
      }
    },
    environment: ())
}
