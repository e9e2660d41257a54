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
  package private(set) var scope: DependencyScope
  private let environments = StoreEnvironments()
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
}

extension StoreCore {
  /// Reduces an action and the actions that it immediately sends, in order.
  ///
  /// While another action is being reduced, the action waits.
  ///
  /// - Parameter didReduce: Called after each action, before its effects start.
  package func receive(_ action: Action, didReduce: (Action) -> Void) -> StoreTask {
    guard !isBusy else {
      let group = makeGroup()
      let context = EffectContext(action: group, scope: scope, child: effects.root)
      scheduler.waiting.append(.action(action, effects.add(.waitingAction, context), from: nil))
      return StoreTask(group)
    }
    var group: RunningEffect?
    drain(didReduce) { group = step(action, of: nil, didReduce) }
    return StoreTask(group)
  }

  /// Handles a request of an effect.
  ///
  /// An action of an effect that is canceled by now is ignored.
  package func receive(_ request: EffectRequest, didReduce: (Action) -> Void) {
    switch request {
    case .action(let action, from: let effect):
      if effect.isCancelled { return }
      if isBusy {
        // What waits for the whole operation must wait for the action, too.
        let waitingAction = effects.add(.waitingAction, effect.whole.context)
        scheduler.waiting.append(.action(action, waitingAction, from: effect))
      } else {
        drain(didReduce) { _ = step(action as! Action, of: effect.context.action, didReduce) }
      }
    case .continueSequence(let sequence):
      if isBusy {
        scheduler.waiting.append(.sequence(sequence))
      } else {
        drain(didReduce) { scheduler.continueSequence(sequence) }
      }
    }
  }

  /// Calls `begin`, and then reduces the actions that wait.
  private func drain(_ didReduce: (Action) -> Void, _ begin: () -> Void) {
    isBusy = true
    defer { isBusy = false }
    begin()
    while !scheduler.waiting.isEmpty {
      let batch = scheduler.waiting
      scheduler.waiting = []
      for next in batch {
        switch next {
        case .action(let action, let token, from: let sender):
          if sender == nil || !token.isCancelled && !sender!.isCancelled {
            _ = step(action as! Action, of: token.context.action, didReduce)
          }
          if let sequence = effects.remove(token) { scheduler.continueSequence(sequence) }
        case .sequence(let sequence):
          scheduler.continueSequence(sequence)
        }
      }
    }
  }

  /// Reduces an action, and starts its effects.
  ///
  /// - Returns: The group of the action that the program sent; `nil` if it has no effects.
  private func step(
    _ action: Action, of group: RunningEffect?, _ didReduce: (Action) -> Void
  ) -> RunningEffect? {
    if effects.hasEnded {
      reportLateAction(action)
      return group
    }
    let context = ReducerContext(environments: environments, scope: scope)
    isReducing = true
    var effect = Effect<Action>.none
    // The closure has no result, because entering a scope with one looks up generic metadata.
    ReducerScope.run(in: scope) { effect = reduce(&currentState, action, context) }
    isReducing = false
    didReduce(action)
    var group = group
    // Code that the reducer called may have ended the store.
    if let node = effect.node, !effects.hasEnded {
      group = group ?? makeGroup()
      var context = EffectContext(action: group, scope: scope, child: effects.root)
      if effects.isOfTest { context.cause = action }
      scheduler.prepare(node, in: context)
    }
    let cancelled = scheduler.cancelEffectsOfGoneChildren(in: currentState)
    if !cancelled.isEmpty {
      group = group ?? makeGroup()
      effects.wait(for: cancelled, in: group)
    }
    scheduler.start()
    return group
  }

  /// Makes the group of an action that the program sent.
  private func makeGroup() -> RunningEffect {
    effects.makeGroup(.action, EffectContext(scope: scope, child: effects.root))
  }

  /// Ends the store: cancels its effects, and waits until they have ended.
  ///
  /// From now on, the store accepts no action.
  func end() async {
    effects.end()
    // The state changes no more.
    readers = nil
    while let action = effects.actions.first { await StoreTask(action).finish() }
  }

  private func reportLateAction(_ action: Action) {
    DependencyIssue(
      problem: "The store received \(action) after `cancelAndFinish()`, and ignores it.",
      remedy: """
        send no actions to a store that has ended. Create a new store for the next session.
        """, at: nil
    ).report()
  }
}
