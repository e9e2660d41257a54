/// An action that sets a property of the state; see ``BindableAction``.
///
/// Two of these actions are equal if they set the same property to the same value.
public struct BindingAction<State>: Sendable {
  private let setter: @Sendable (inout State) -> Void
  private let value: any Equatable & Sendable
  private let sendableKeyPath: any PartialKeyPath<State> & Sendable

  /// The property that the action sets.
  public var keyPath: PartialKeyPath<State> { sendableKeyPath }

  /// Returns an action that sets a property to a value.
  ///
  /// ```swift
  /// store.send(.binding(.set(\.name, "Blob")))
  /// ```
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, _ value: Value
  ) -> BindingAction {
    BindingAction(
      setter: { $0[keyPath: keyPath] = value }, value: value, sendableKeyPath: keyPath)
  }

  /// Sets the property.
  public func apply(to state: inout State) {
    setter(&state)
  }

  /// Whether the action sets a property, for pattern matching.
  ///
  /// ```swift
  /// case .binding(\.name): …
  /// ```
  public static func ~= (keyPath: PartialKeyPath<State>, action: BindingAction) -> Bool {
    action.keyPath == keyPath
  }
}

extension BindingAction: Equatable {
  /// Whether two actions set the same property to the same value.
  public static func == (lhs: BindingAction, rhs: BindingAction) -> Bool {
    lhs.keyPath == rhs.keyPath && isEqual(lhs.value, rhs.value)
  }

  private static func isEqual<Value: Equatable>(_ lhs: Value, _ rhs: any Equatable) -> Bool {
    lhs == rhs as? Value
  }
}

extension BindingAction: CustomStringConvertible {
  /// The property and its value.
  public var description: String { "set(\(keyPath), \(value))" }
}
