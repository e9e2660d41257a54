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

// error: 'merge(with:)' is unavailable: Use '.merge(effect, other)'.
let merged = Effect<Act>.none.merge(with: .none)

// error: 'concatenate(with:)' is unavailable: Use '.concatenate(effect, other)'.
let concatenated = Effect<Act>.none.concatenate(with: .none)

// error: 'cancel(ids:)' is unavailable: Use '.merge(ids.map { .cancel(id: $0) })'.
let canceled = Effect<Act>.cancel(ids: [1, 2])

// error: 'init(uncheckedUniqueElements:)' has been renamed to 'init(uniqueElements:)'
let rows = IdentifiedArrayOf<Row>(uncheckedUniqueElements: [])

struct Row: Identifiable { let id: Int }

enum Screen { case found(Int) }

// error: 'init(_:)' is unavailable: add a closure that extracts,
// `{ if case .found(let value) = $0 { value } else { nil } }`, or import CasePathOperator
let path = CasePath(Screen.found)
