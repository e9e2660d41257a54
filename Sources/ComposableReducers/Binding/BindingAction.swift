internal import ComposableDependencies
internal import Synchronization

/// An action that sets a property of the state; see ``BindableAction``.
///
/// Two of these actions are equal if they set the same property to the same value. Swift doesn't distinguish
/// two key paths that differ only in a type argument of a subscript, so neither do these actions.
public struct BindingAction<State>: Sendable {
  private let setter: @Sendable (inout State) -> Void
  private let value: any Equatable & Sendable
  private let sendableKeyPath: any PartialKeyPath<State> & Sendable
  private var use: BindingUse?

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

  /// Returns an action that reports an issue if no reducer applies it.
  func mustBeApplied() -> BindingAction {  // unused: only SwiftUI bindings call it
    var action = self
    action.use = BindingUse("\(keyPath)")
    return action
  }

  /// Sets the property.
  public func apply(to state: inout State) {
    use?.isApplied.store(true, ordering: .relaxed)
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
    lhs.keyPath == rhs.keyPath && areEqual(lhs.value, rhs.value)
  }
}

extension BindingAction: CustomStringConvertible {
  /// The property and its value.
  public var description: String { "set(\(keyPath), \(value))" }
}

/// Reports the action of a user interface's binding that no reducer applied.
private final class BindingUse: Sendable {
  let isApplied = Atomic(false)
  private let property: String

  init(_ property: String) {
    self.property = property
  }

  deinit {
    if isApplied.load(ordering: .relaxed) { return }
    DependencyIssue(
      problem: "A binding set \(property), but no reducer applied its action.",
      remedy: """
        call `.binding(action:)` on the reducer of the state that has the property, and show the \
        binding only while that state exists.
        """,
      at: nil
    ).report()
  }
}
