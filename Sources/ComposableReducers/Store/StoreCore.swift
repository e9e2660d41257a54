/// What the stores have in common: the state, and the order in which actions change it.
///
/// It belongs to one store, and is used in that store's isolation only.
@usableFromInline
package final class StoreCore<State, Action: Sendable> {
  /// Brings an action of an effect back to the store.
  @usableFromInline
  package typealias Deliver = @Sendable (Action, Flight) async -> Void

  @usableFromInline package var state: State
  @usableFromInline package let effects: EffectRunner<Action>
  @usableFromInline let reduce: (inout State, Action, ReducerContext) -> Effect<Action>
  @usableFromInline let scope: DependencyScope
  @usableFromInline let place = ReducerPlace()
  @usableFromInline var waiting: [(action: Action, flight: Flight)] = []
  @usableFromInline var isReducing = false

  @inlinable
  package init<Environment>(
    initialState: State,
    reducer: Reducer<State, Action, Environment>,
    environment: Environment,
    supervisor: (any EffectSupervisor)? = nil
  ) {
    effects = EffectRunner(supervisor: supervisor)
    state = initialState
    reduce = { reducer.reduce(&$0, $1, environment, $2) }
    scope = (EnvironmentScope<Environment>().of(environment) ?? .current).inForce
  }

  /// Reduces an action, and those that it sends at once, in the order in which they come; or, while
  /// another is being reduced, lets it wait.
  ///
  /// - Parameters:
  ///   - flight: Of the effect that sends the action, if one does.
  ///   - deliver: How effects of the action send theirs.
  ///   - didReduce: Is told after each action, before its effects start.
  @inlinable
  package func receive(
    _ action: Action,
    in flight: Flight?,
    deliver: () -> Deliver,
    didReduce: (Action) -> Void
  ) -> StoreTask {
    if isReducing { return StoreTask(flight: wait(action, flight)) }
    isReducing = true
    defer { isReducing = false }
    let first = step(action, in: flight, deliver, didReduce)
    if !waiting.isEmpty { drain(deliver, didReduce) }
    return StoreTask(flight: first)
  }

  @inlinable
  func step(
    _ action: Action, in flight: Flight?, _ deliver: () -> Deliver, _ didReduce: (Action) -> Void
  ) -> Flight? {
    let context = unsafe ReducerContext(
      place: .passUnretained(place), scope: BorrowedScope(scope))
    let effect = scope.run { reduce(&state, action, context) }
    didReduce(action)
    return effect.isNone ? flight : start(effect, of: action, in: flight, deliver())
  }

  @usableFromInline
  func drain(_ deliver: () -> Deliver, _ didReduce: (Action) -> Void) {
    while !waiting.isEmpty {
      let batch = waiting
      waiting = []
      for (action, flight) in batch {
        _ = step(action, in: flight, deliver, didReduce)
        flight.removeWaitingAction()
      }
    }
  }

  @usableFromInline
  func start(
    _ effect: Effect<Action>, of action: Action, in flight: Flight?, _ deliver: @escaping Deliver
  ) -> Flight {
    let flight = flight ?? Flight()
    let context = EffectRunner<Action>.Context(
      scope: scope, flight: flight, deliver: { await deliver($0, flight) },
      cause: effects.supervisor == nil ? nil : EffectCause(action))
    effects.start(effect, in: context) { _ = wait($0, flight) }
    return flight
  }

  @usableFromInline
  func wait(_ action: Action, _ flight: Flight?) -> Flight {
    let flight = flight ?? Flight()
    flight.addWaitingAction()
    waiting.append((action, flight))
    return flight
  }
}
