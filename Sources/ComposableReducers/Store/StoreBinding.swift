/// Reads a value from a store's state, and sends an action to set it; see
/// ``ObservableStore/binding(_:send:)``.
@MainActor
@propertyWrapper
public struct StoreBinding<Value> {
  private let get: @MainActor () -> Value
  private let set: @MainActor (Value) -> Void

  init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// The value in the store's state, observed; setting it sends the action.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
}

extension ObservableStore {
  /// A value of the state that is set by sending an action.
  ///
  /// ```swift
  /// let name = store.binding(\.name, send: ProfileAction.nameChanged)
  /// name.wrappedValue = "Blob"  // store.send(.nameChanged("Blob"))
  /// ```
  public func binding<Value>(
    _ keyPath: KeyPath<State, Value>, send action: @escaping @MainActor (Value) -> Action
  ) -> StoreBinding<Value> {
    StoreBinding {
      self.state[keyPath: keyPath]
    } set: {
      self.send(action($0))
    }
  }
}
