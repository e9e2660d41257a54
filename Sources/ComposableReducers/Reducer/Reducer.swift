@_exported public import ComposableCasePaths
@_exported public import ComposableEnvironment
@_exported public import GlobalEnvironment
@_exported public import IdentifiedArrays

/// A description of how a feature's state changes with an action, and of the action's effects.
///
/// ```swift
/// let counter = Reducer<Counter, CounterAction, CounterEnvironment> { state, action, environment in
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
/// A reducer runs in its environment's scope, not in the scope of the code that sends the action.
/// If its environment has no scope, the reducer runs in the parent's scope, or at the root, in the
/// scope that created the store. The effects that it returns run in the same scope.
///
/// Combine features with `combine`, and with pullbacks, which embed a child's reducer in its
/// parent.
@frozen
public struct Reducer<State, Action: Sendable, Environment: Sendable>: Sendable {
  @usableFromInline
  typealias Reduce = @Sendable (inout State, Action, Environment, ReducerContext) -> Effect<Action>

  @usableFromInline let reduce: Reduce

  /// Creates a reducer from a function that changes the state and returns the action's effects.
  public init(_ reduce: @escaping @Sendable (inout State, Action, Environment) -> Effect<Action>) {
    self.reduce = { state, action, environment, _ in reduce(&state, action, environment) }
  }

  @inlinable
  init(reduce: @escaping Reduce) {
    self.reduce = reduce
  }

  /// A reducer that changes nothing and has no effects.
  public static var empty: Reducer {
    Reducer { _, _, _ in .none }
  }

  /// Combines reducers, which run one after the other on each action; their effects run
  /// concurrently.
  ///
  /// Put a child's reducer before its parent's, so that it runs before the parent removes the
  /// child's state.
  public static func combine(_ reducers: Reducer...) -> Reducer {
    combine(reducers)
  }

  /// Combines reducers, which run one after the other on each action; their effects run
  /// concurrently.
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
