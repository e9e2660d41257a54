@_exported public import ComposableEnvironment
@_exported public import GlobalEnvironment

/// How a feature's state changes with an action, and what effects that has.
///
/// ```swift
/// let counter = Reducer<CounterState, CounterAction, CounterEnvironment> { state, action, environment in
///   switch action {
///   case .tapped:
///     state.isLoading = true
///     return .run { send in
///       await send(.loaded(environment.numbers.next()))
///     }
///   case .loaded(let number):
///     state.isLoading = false
///     state.number = number
///     return .none
///   }
/// }
/// ```
///
/// A reducer runs in its environment's scope, and in nothing of the scope of whoever sent the action.
/// Where its environment has no scope, the one of the parent's stays in force; at the root, that is
/// the scope in which the store was created. The effects that it returns run in the same scope.
///
/// Features are put together with `combine`, and with the pullbacks, which make a reducer of a
/// child's state, action and environment one of the parent's.
public struct Reducer<State, Action: Sendable, Environment: Sendable>: Sendable {
  @usableFromInline
  typealias Reduce = @Sendable (inout State, Action, Environment, ReducerContext) -> Effect<Action>

  @usableFromInline let reduce: Reduce

  /// Makes a reducer of a function that changes the state and returns the effects of the action.
  @inlinable
  public init(_ reduce: @escaping @Sendable (inout State, Action, Environment) -> Effect<Action>) {
    self.reduce = { state, action, environment, _ in reduce(&state, action, environment) }
  }

  @inlinable
  init(reduce: @escaping Reduce) {
    self.reduce = reduce
  }

  /// The reducer that changes nothing and has no effects.
  @inlinable
  public static var empty: Reducer {
    Reducer { _, _, _ in .none }
  }

  /// Runs several reducers, one after the other, on each action; their effects run side by side.
  ///
  /// Put a child's reducer before its parent's, so that it still finds the state that the parent may
  /// take away.
  @inlinable
  public static func combine(_ reducers: Reducer...) -> Reducer {
    combine(reducers)
  }

  /// Runs several reducers, one after the other, on each action; their effects run side by side.
  @inlinable
  public static func combine(_ reducers: [Reducer]) -> Reducer {
    Reducer(reduce: { state, action, environment, context in
      var effects: [Effect<Action>] = []
      for reducer in reducers {
        let effect = reducer.reduce(&state, action, environment, context)
        if !effect.isNone { effects.append(effect) }
      }
      return .merge(effects)
    })
  }
}
