/// The common part of all stores: the state, and the order in which actions change it.
///
/// It belongs to one store, and is used only in that store's isolation.
@usableFromInline
package final class StoreCore<State: Sendable, Action: Sendable> {
  /// An action that waits to be reduced.
  @usableFromInline
  struct Waiting {
    let action: Action
    let flight: Flight
    /// Whether an effect sent the action, which is then ignored if that effect is cancelled.
    let isOfEffect: Bool
    let task: EffectTask?
    /// Whether the task is only a token, which ends with the action.
    let isToken: Bool

    var isCancelled: Bool { isOfEffect && (flight.isCancelled || task?.isCancelled == true) }
  }

  @usableFromInline package let effects: EffectRunner
  @usableFromInline var currentState: State
  /// Whether a reducer is running, with exclusive access to the state.
  @usableFromInline var isChanging = false
  /// Whether the state is kept before each action.
  @usableFromInline var keepsEarlierState: Bool
  @usableFromInline var earlierState: State?
  @usableFromInline let isTrivial = _isPOD(State.self)
  // These change only in a test that changes its dependencies. Unchecked, because the check would cost more than the access. No access runs user code.
  @exclusivity(unchecked) @usableFromInline
  var reduce: (inout State, Action, ReducerContext) -> Effect<Action>
  @exclusivity(unchecked) @usableFromInline var scope: DependencyScope
  @usableFromInline let place = ReducerPlace()
  @usableFromInline let starter: EffectStarter
  @usableFromInline var waiting: [Waiting] = []
  @usableFromInline var isReducing = false
  /// The readers of the states, if there ever was one.
  @usableFromInline var readers: StateReaders<State>?

  @inlinable
  package init<Environment>(
    initialState: State,
    reducer: Reducer<State, Action, Environment>,
    environment: Environment,
    supervisor: (any EffectSupervisor)? = nil
  ) {
    effects = EffectRunner(supervisor: supervisor)
    starter = EffectStarter(effects)
    currentState = initialState
    earlierState = initialState
    keepsEarlierState = _isPOD(State.self) || holdsObject(initialState)
    unsafe reduce = { reducer.reduce(&$0, $1, environment, $2) }
    unsafe scope = EnvironmentScope<Environment>().of(environment) ?? .current
  }

  /// Replaces the environment, between two actions.
  package func setEnvironment<Environment>(
    _ environment: Environment, of reducer: Reducer<State, Action, Environment>,
    in scope: DependencyScope
  ) {
    unsafe reduce = { reducer.reduce(&$0, $1, environment, $2) }
    unsafe self.scope = scope
  }

  deinit {
    readers?.finish(currentState)
  }

  /// Reduces an action and the actions that it immediately sends, in order.
  ///
  /// While another action is being reduced, the action waits.
  ///
  /// - Parameter didReduce: Called after each action, before its effects start.
  @inlinable
  package func receive(_ action: Action, didReduce: (Action) -> Void) -> StoreTask {
    if isReducing { return StoreTask(flight: wait(action)) }
    isReducing = true
    defer { isReducing = false }
    let first = step(action, in: nil, didReduce)
    if !waiting.isEmpty { drain(didReduce) }
    return StoreTask(flight: first)
  }

  /// Handles a request of an effect, unless the effect was cancelled.
  ///
  /// This is the point that decides.
  package func receive(_ delivery: EffectDelivery, didReduce: (Action) -> Void) {
    let task = delivery.task
    guard !task.isCancelled else { return }
    if isReducing, case .action(let action) = delivery.content {
      return wait(
        for: .init(
          action: action, flight: task.context.actionFlight, task: task, isToken: false))
    }
    let wasReducing = isReducing
    isReducing = true
    defer { isReducing = wasReducing }
    switch delivery.content {
    case .action(let action):
      _ = step(action as! Action, in: task.context.actionFlight, didReduce)
    case .part(let node, let context):
      unsafe starter.prepare(node, in: context) { wait(for: $0) }.start(in: scope)
    case .interval(let id, let throttling):
      starter.openInterval(task, id, throttling)
    case .operation(let part, let id, let cancelInFlight):
      starter.register(part, id, cancelInFlight: cancelInFlight)
    }
    if !wasReducing { drain(didReduce) }
  }

  @inlinable
  func step(_ action: Action, in flight: Flight?, _ didReduce: (Action) -> Void) -> Flight? {
    let context = unsafe ReducerContext(
      place: .passUnretained(place), scope: BorrowedScope(scope))
    let effect = change { state in unsafe scope.run { unsafe reduce(&state, action, context) } }
    didReduce(action)
    if effect.isNone, !starter.hasOwners { return flight }
    return start(effect, of: action, in: flight)
  }

  @usableFromInline
  func drain(_ didReduce: (Action) -> Void) {
    while !waiting.isEmpty {
      let batch = waiting
      waiting = []
      for next in batch {
        if !next.isCancelled { _ = step(next.action, in: next.flight, didReduce) }
        if next.isToken { next.task?.finish() }
        next.flight.removeWaitingAction()
      }
    }
  }

  @usableFromInline
  func start(_ effect: Effect<Action>, of action: Action, in flight: Flight?) -> Flight? {
    guard let node = effect.node else {
      place.endGone(in: currentState, starter.root)
      return flight
    }
    let flight = flight ?? Flight(effects)
    let context = EffectContext(
      scope: unsafe scope, flight: flight,
      cause: effects.supervisor == nil ? nil : EffectCause(action))
    let launches = starter.prepare(node, in: context) { wait(for: $0) }
    if starter.hasOwners { place.endGone(in: currentState, starter.root) }
    unsafe launches.start(in: scope)
    return flight
  }

  /// Enqueues an action that the program sent.
  @usableFromInline
  func wait(_ action: Action) -> Flight {
    let flight = Flight(effects)
    flight.addWaitingAction()
    waiting.append(
      Waiting(action: action, flight: flight, isOfEffect: false, task: nil, isToken: false))
    return flight
  }

  /// Enqueues an action that an effect sent.
  private func wait(for sent: EffectStarter.SentAction) {
    sent.flight.addWaitingAction()
    waiting.append(
      Waiting(
        action: sent.action as! Action, flight: sent.flight, isOfEffect: true, task: sent.task,
        isToken: sent.isToken))
  }
}
