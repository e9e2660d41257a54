/// A value in a store's state that you set by sending an action.
///
/// See ``ObservableStore/binding(_:send:)-4m2ri``.
@MainActor
@propertyWrapper
public struct StoreBinding<Value> {
  private let get: @MainActor () -> Value
  private let set: @MainActor (Value) -> Void

  init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// The observed value in the store's state; setting it sends the action.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
}

extension ObservableStore {
  /// Returns a value of the state that you set by sending an action.
  ///
  /// Code that reads it is notified when an action changes it.
  ///
  /// ```swift
  /// let name = store.binding(\.name, send: ProfileAction.nameChanged)
  /// name.wrappedValue = "Blob"  // store.send(.nameChanged("Blob"))
  /// ```
  public func binding<Value: Equatable>(
    _ keyPath: KeyPath<State, Value>, send action: @escaping @MainActor (Value) -> Action
  ) -> StoreBinding<Value> {
    StoreBinding {
      self[keyPath]
    } set: {
      self.send(action($0))
    }
  }

  /// Returns a value of the state that isn't `Equatable`, and that you set by sending an action.
  ///
  /// Code that reads it is notified after each action.
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
