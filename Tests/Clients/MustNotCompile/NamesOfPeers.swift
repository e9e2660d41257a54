import ComposableReducers

enum Act { case loaded }

// error: 'init(value:)' is unavailable: Use 'Effect.send(action)'.
let value = Effect<Act>(value: .loaded)

let task: Effect<Act> =
  // error: 'task(priority:operation:catch:)' is unavailable:
  // Use '.run { send in await send(…) }', with 'catch:' for errors.
  .task { .loaded }

// error: 'fireAndForget(priority:_:)' is unavailable: Use '.run { _ in … }'.
let work: Effect<Act> = .fireAndForget {}

enum Screen { case found(Int) }

// error: 'init(_:)' is unavailable: add a closure that extracts,
// `{ if case .found(let value) = $0 { value } else { nil } }`, or import CasePathOperator
let path = CasePath(Screen.found)
