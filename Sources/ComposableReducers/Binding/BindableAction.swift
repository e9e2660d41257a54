/// An action type with a case that can set any property of the state.
///
/// One case replaces an action for each text field, switch and slider:
///
/// ```swift
/// struct Profile: Equatable {
///   var name = ""
///   var isPublic = false
/// }
///
/// enum ProfileAction: BindableAction {
///   case binding(BindingAction<Profile>)
///   case saveTapped
/// }
///
/// let profile = Reducer<Profile, ProfileAction, ProfileEnvironment> { state, action, _ in
///   switch action {
///   case .binding(\.name):
///     state.name = state.name.trimmed
///     return .none
///   case .binding, .saveTapped:
///     return .none
///   }
/// }
/// .binding(
///   action: CasePath(ProfileAction.binding) {
///     if case .binding(let action) = $0 { action } else { nil }
///   })
/// ```
///
/// Send the action that sets a property like any other:
///
/// ```swift
/// store.send(.set(\.name, "Blob"))
/// ```
///
/// In SwiftUI, `store.binding(\.name)` of an ``ObservableStore`` sends such an action for a text field.
public protocol BindableAction<State>: Sendable {
  /// The state whose properties are set.
  associatedtype State

  /// The action that sets a property; a case with this name satisfies the requirement.
  static func binding(_ action: BindingAction<State>) -> Self
}

extension BindableAction {
  /// Returns the action that sets a property to a value.
  ///
  /// ```swift
  /// await store.send(.set(\.name, "Blob")) { $0.name = "Blob" }
  /// ```
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: any WritableKeyPath<State, Value> & Sendable, _ value: Value
  ) -> Self {
    .binding(.set(keyPath, value))
  }
}

extension Reducer where Action: BindableAction, Action.State == State {
  /// Sets the property that a binding action names, before this reducer runs.
  ///
  /// Call this once, on the reducer of the state that has the property.
  ///
  /// - Parameter path: The case that holds a binding action.
  public func binding(action path: CasePath<Action, BindingAction<State>>) -> Reducer {
    Reducer(reduce: { state, action, environment, context in
      path.extract(from: action)?.apply(to: &state)
      return reduce(&state, action, environment, context)
    })
  }
}
