// flags: -default-isolation MainActor

import ComposableTesting

struct Client: DependencyKey {
  // error: main actor-isolated default value in a nonisolated context
  static let defaultValue = Client(limits: Limits.standard)
  var limits: Limits
}

struct Limits {
  static let standard = Limits()
  var attempts = 3
}

enum AttemptsKey: DependencyKey {
  // error: call to main actor-isolated global function 'attempts()' in a synchronous nonisolated
  //   context [#ActorIsolatedCall]
  static var defaultValue: Int { attempts() }
}

func attempts() -> Int { 3 }

extension Dependencies {
  var attempts: Int {
    get { self[AttemptsKey.self] }
    set { self[AttemptsKey.self] = newValue }
  }
}

nonisolated func read() -> Int {
  // error: cannot form key path to main actor-isolated property 'attempts'
  DependencyScope.current.attempts
}

struct Feature: ComposableEnvironment {
  let scope = DependencyScope.current
  // error: main actor-isolated default value in a nonisolated context
  // error: type 'KeyPath<Dependencies, Int>' does not conform to the 'Sendable' protocol
  @Dependency(\.attempts) var attempts
}

final class Model {
  var count = 0

  func bind() {
    // error: main actor-isolated property 'count' can not be mutated from a Sendable closure
    let closure = DependencyScope.current.bind { self.count += 1 }
    closure()
  }
}

struct List {
  var rows: IdentifiedArray<Int, Row> = []
}

struct Row: Identifiable {
  let id: Int
}

enum RowAction { case select }
enum ListAction { case row(Int, RowAction) }

nonisolated let toRow = CasePath(ListAction.row) {
  if case .row(let id, let action) = $0 { (id, action) } else { nil }
}

let rowReducer = Reducer<Row, RowAction, Feature> { state, action, environment in
  // error: call to main actor-isolated global function 'select' in a synchronous nonisolated context
  //   [#ActorIsolatedCall]
  select(&state)
  return .none
}

func select(_ row: inout Row) {}

struct TimerID: Hashable {}

// error: main actor-isolated conformance of 'TimerID' to 'Hashable' cannot satisfy conformance
//   requirement for a 'Sendable' type parameter  [#IsolatedConformances]
let cancelTimer = Effect<RowAction>.cancel(id: TimerID())

let listReducer: Reducer<List, ListAction, Feature> =
  // error: type 'WritableKeyPath<List, IdentifiedArray<Int, Row>>' does not conform to the 'Sendable'
  //   protocol
  rowReducer.forEach(state: \.rows, action: toRow)

let fixed = 5

let trait = DependenciesTrait.dependencies {
  // error: main actor-isolated let 'fixed' can not be referenced from a nonisolated context
  $0[AttemptsKey.self] = fixed
}

let otherTrait = DependenciesTrait.dependencies {
  // error: main actor-isolated property 'attempts' can not be mutated from a Sendable closure
  $0.attempts = 5
}
