internal import ValueDifferences

extension Reducer {
  /// Prints each action and the changes that it makes to the state.
  ///
  /// ```swift
  /// let store = Store(
  ///   initialState: App(), reducer: app.printingChanges(), environment: AppEnvironment())
  /// ```
  ///
  /// The text has the lines that differ between dumps of the states:
  ///
  /// ```text
  /// received tapped
  ///   - count: 1,
  ///   + count: 2,
  /// ```
  ///
  /// For debugging: it keeps a copy of the state before each action, and describes the state before
  /// and after it.
  ///
  /// - Parameter output: Receives the text, for example to pass it to a logger. By default, it goes to
  ///   standard output.
  public func printingChanges(
    _ output: @escaping @Sendable (String) -> Void = { print($0) }
  ) -> Reducer {
    Reducer(reduce: { state, action, environment, context in
      let oldState = state
      let effect = reduce(&state, action, environment, context)
      let lines = changedLines(from: oldState, to: state)
      output(
        (["received \(action)"] + (lines.isEmpty ? ["(no change)"] : lines))
          .joined(separator: "\n  "))
      return effect
    })
  }
}
