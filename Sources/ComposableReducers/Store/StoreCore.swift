/// What waits while an action is being reduced.
private enum Waiting {
  case action(any Sendable, RunningEffect, isOfEffect: Bool)
  case sequence(RunningEffect)
}

/// The common part of all stores: the state, and the order in which actions change it.
///
/// It belongs to one store, and is used only in that store's isolation.
package final class StoreCore<State: Sendable, Action: Sendable> {
  package let effects: EffectRegistry
  private let scheduler: EffectScheduler
  private let initialState: State
  private var currentState: State
  private var reduce: (inout State, Action, ReducerContext) -> Effect<Action>
  /// The scope of the environment, or else of the code that created the store.
  private var scope: DependencyScope
  private let place = ReducerPlace()
  private var waiting: [Waiting] = []
  /// Whether an action, and those that it sends, are being reduced.
  private var isBusy = false
  /// Whether a reducer is running, with exclusive access to the state.
  private var isReducing = false
  /// The readers of the states, if there ever was one.
  var readers: StateReaders<State>?

  package init<Environment>(
    initialState: State,
    reducer: Reducer<State, Action, Environment>,
    environment: Environment,
    supervisor: (any EffectSupervisor)? = nil
  ) {
    effects = EffectRegistry(supervisor: supervisor)
    scheduler = EffectScheduler(effects)
    self.initialState = initialState
    currentState = initialState
    reduce = { reducer.reduce(&$0, $1, environment, $2) }
    scope = (environment as? any ScopeCapturing)?.scope ?? .current
  }

  /// Replaces the environment, between two actions.
  package func setEnvironment<Environment>(
    _ environment: Environment, of reducer: Reducer<State, Action, Environment>,
    in scope: DependencyScope
  ) {
    reduce = { reducer.reduce(&$0, $1, environment, $2) }
    self.scope = scope
  }

  deinit {
    readers?.finish(currentState)
  }

  /// The state; while an action is being reduced, the initial state.
  package var state: State {
    guard isReducing else { return currentState }
    DependencyIssue(
      problem: """
        The store's state was read while the store was reducing an action. This read returned the \
        initial \(State.self).
        """,
      remedy: "use the state that the reducer receives, or read the store's state in an effect.",
      at: nil
    ).report()
    return initialState
  }

  /// Whether there is no known effect.
  var isIdle: Bool { scheduler.isEmpty }
}

extension StoreCore {
  /// Reduces an action and the actions that it immediately sends, in order.
  ///
  /// While another action is being reduced, the action waits.
  ///
  /// - Parameter didReduce: Called after each action, before its effects start.
  package func receive(_ action: Action, didReduce: (Action) -> Void) -> StoreTask {
    guard !isBusy else {
      let number = effects.nextNumber()
      let context = EffectContext(action: number, scope: scope)
      waiting.append(.action(action, effects.add(context), isOfEffect: false))
      return StoreTask(effects, number)
    }
    var number: Int?
    drain(didReduce) { number = step(action, of: nil, didReduce) }
    return number.map { StoreTask(effects, $0) } ?? .finished
  }

  /// Handles a request of an effect, unless the effect was cancelled.
  ///
  /// This is the point that decides.
  package func receive(_ request: EffectRequest, didReduce: (Action) -> Void) {
    switch request {
    case .action(let action, from: let effect):
      if effect.isCancelled { return }
      if isBusy {
        var context = effect.context
        context.joinsAction = true
        enqueue(action, effects.add(context))
      } else {
        drain(didReduce) { _ = step(action as! Action, of: effect.context.action, didReduce) }
      }
    case .goOn(let sequence):
      if isBusy { waiting.append(.sequence(sequence)) } else { drain(didReduce) { goOn(sequence) } }
    }
  }

  /// Begins with something, and then reduces the actions that wait.
  private func drain(_ didReduce: (Action) -> Void, _ begin: () -> Void) {
    isBusy = true
    defer { isBusy = false }
    begin()
    while !waiting.isEmpty {
      let batch = waiting
      waiting = []
      for next in batch {
        switch next {
        case .action(let action, let effect, let isOfEffect):
          if !isOfEffect || !effect.isCancelled {
            _ = step(action as! Action, of: effect.context.action, didReduce)
          }
          if let sequence = effects.remove(effect) { goOn(sequence) }
        case .sequence(let sequence):
          goOn(sequence)
        }
      }
    }
  }

  /// Reduces an action, and starts its effects.
  ///
  /// - Returns: The number of the action that the program sent; `nil` if it has no effects.
  private func step(
    _ action: Action, of number: Int?, _ didReduce: (Action) -> Void
  ) -> Int? {
    let context = ReducerContext(place: place, scope: scope)
    isReducing = true
    var effect = Effect<Action>.none
    // Returns nothing, so that entering needs no generic metadata.
    scope.run { effect = reduce(&currentState, action, context) }
    isReducing = false
    didReduce(action)
    var number = number
    if let node = effect.node {
      number = number ?? effects.nextNumber()
      var context = EffectContext(action: number!, scope: scope)
      if effects.supervisor != nil { context.cause = { action } }
      scheduler.prepare(node, in: context, enqueue: enqueue)
    }
    cancelEffectsOfGoneChildren()
    scheduler.start()
    return number
  }

  private func cancelEffectsOfGoneChildren() {
    let conditions = effects.conditions
    if conditions.isEmpty { return }
    let gone = conditions.filter { !($0.value as! Condition<State>).holds(currentState) }
    if !gone.isEmpty { effects.cancel(Array(gone.keys)) }
  }

  private func goOn(_ sequence: RunningEffect) {
    scheduler.goOn(sequence, enqueue: enqueue)
    scheduler.start()
  }

  /// Enqueues an action that an effect sent.
  private func enqueue(_ action: any Sendable, _ effect: RunningEffect) {
    waiting.append(.action(action, effect, isOfEffect: true))
  }
}
