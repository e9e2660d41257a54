extension Reducer {
  /// Reduces one action, without a store.
  ///
  /// That is all you need to test a change of state:
  ///
  /// ```swift
  /// var state = Counter()
  /// _ = counter(&state, .tapped, CounterEnvironment())
  /// #expect(state.isLoading)
  /// ```
  ///
  /// The reducer runs in its environment's scope, or in the current scope if the environment has
  /// none. To run its effects as well, use a store or a test store.
  ///
  /// Don't call a reducer inside another one: effects of children then don't end with the child, and
  /// a child's environment is created for each call. Use `combine` or ``onChange(of:_:)`` instead.
  ///
  /// - Returns: The effects of the action, which don't run until a store starts them.
  public func callAsFunction(
    _ state: inout State, _ action: Action, _ environment: Environment
  ) -> Effect<Action> {
    let scope = (environment as? any ScopeCapturing)?.scope ?? .current
    let context = ReducerContext(environments: nil, scope: scope)
    return ReducerScope.run(in: scope) { reduce(&state, action, environment, context) }
      .scoped(to: scope)
  }

  /// Runs another reducer after an action that changes a value of the state.
  ///
  /// ```swift
  /// let settings = settingsReducer.onChange(of: \.theme) { state, oldTheme, theme, environment in
  ///   .run { _ in await environment.client.save(theme) }
  /// }
  /// ```
  ///
  /// The value is read and compared before and after each action. The effects of both reducers run
  /// concurrently.
  ///
  /// - Parameters:
  ///   - value: The value in the state.
  ///   - reduce: The other reducer's function. It receives the state, the old and the new value,
  ///     and the environment.
  public func onChange<Value: Equatable & SendableMetatype>(
    of value: @escaping @Sendable (State) -> Value,
    _ reduce: @escaping @Sendable (inout State, Value, Value, Environment) -> Effect<Action>
  ) -> Reducer {
    Reducer(reduce: { state, action, environment, context in
      let oldValue = value(state)
      let effect = self.reduce(&state, action, environment, context)
      let newValue = value(state)
      if newValue == oldValue { return effect }
      return .merge(effect, reduce(&state, oldValue, newValue, environment))
    })
  }
}
