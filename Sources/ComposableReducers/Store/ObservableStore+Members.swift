extension ObservableStore {
  /// A part of the current state.
  ///
  /// Code that reads it is notified when an action changes it, and not of other changes. After it
  /// is read, the store compares it after each action until it changes.
  ///
  /// ```swift
  /// store[\.profile.name]
  /// ```
  public subscript<Value: Equatable>(keyPath: KeyPath<State, Value>) -> Value {
    observe()
    let value = currentState[keyPath: keyPath]
    observedParts.read(value, keyPath) { $0[keyPath: keyPath] }
    return value
  }

  /// A part of the current state that isn't `Equatable`.
  ///
  /// Code that reads it is notified after each action.
  public subscript<Value>(keyPath: KeyPath<State, Value>) -> Value {
    state[keyPath: keyPath]
  }

  /// A property of the current state.
  ///
  /// Code that reads it is notified when an action changes it, and not of other changes. After it
  /// is read, the store compares it after each action until it changes.
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    self[keyPath]
  }

  /// A property of the current state that isn't `Equatable`.
  ///
  /// Code that reads it is notified after each action.
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    state[keyPath: keyPath]
  }
}
