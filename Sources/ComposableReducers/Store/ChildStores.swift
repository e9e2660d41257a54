/// The child stores of a collection in a store's state, created on demand.
///
/// See ``ObservableStore/children(state:action:)->ChildStores<ID,Part,PartAction>``.
@MainActor
public struct ChildStores<ID: Hashable & Sendable, State: Sendable, Action: Sendable> {
  /// The ids of the elements, in order.
  public let ids: [ID]

  private let child: @MainActor (ID) -> ObservableStore<State, Action>?

  init(ids: [ID], child: @escaping @MainActor (ID) -> ObservableStore<State, Action>?) {
    self.ids = ids
    self.child = child
  }

  /// The store of an element; `nil` if the element doesn't exist.
  ///
  /// After the element is removed, the store keeps the value that it last read or compared. Actions
  /// that you send to it are actions for a missing element.
  public subscript(id id: ID) -> ObservableStore<State, Action>? {
    child(id)
  }
}

extension ObservableStore {
  /// Returns the child stores of the elements of an array.
  ///
  /// Code that calls this is notified when elements are added, removed or moved, but not when they
  /// change. To that end, the store compares the ids after each action. A child store costs nothing
  /// until you access it.
  ///
  /// ```swift
  /// let rows = store.children(state: \.rows, action: AppAction.row)
  /// ForEach(rows.ids, id: \.self) { id in
  ///   if let row = rows[id: id] { RowView(store: row) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - elements: The array in the state, for example `\.rows`.
  ///   - action: The action that holds an element's id and action, for example `AppAction.row`.
  public func children<ID, Part: Equatable & Sendable, PartAction: Sendable>(
    state elements: KeyPath<State, IdentifiedArray<ID, Part>>,
    action: @escaping @MainActor (ID, PartAction) -> Action
  ) -> ChildStores<ID, Part, PartAction> {
    children(elements, action) {
      Array($0[keyPath: elements].ids)
    } element: {
      $0[keyPath: elements][id: $1]
    }
  }

  /// Returns the child stores of the values of a dictionary, in the dictionary's order.
  ///
  /// Code that calls this is notified when keys are added or removed, but not when values change.
  /// To that end, the store compares the keys after each action. A child store costs nothing until
  /// you access it.
  ///
  /// - Parameters:
  ///   - values: The dictionary in the state, for example `\.tabs`.
  ///   - action: The action that holds a key and the action of its value, for example
  ///     `AppAction.tab`.
  public func children<Key: Hashable & Sendable, Part: Equatable & Sendable, PartAction: Sendable>(
    state values: KeyPath<State, [Key: Part]>,
    action: @escaping @MainActor (Key, PartAction) -> Action
  ) -> ChildStores<Key, Part, PartAction> {
    children(values, action) {
      Array($0[keyPath: values].keys)
    } element: {
      $0[keyPath: values][$1]
    }
  }

  private func children<ID: Hashable & Sendable, Part: Equatable & Sendable, PartAction: Sendable>(
    _ keyPath: AnyKeyPath,
    _ action: @escaping @MainActor (ID, PartAction) -> Action,
    ids: @escaping @MainActor (State) -> [ID],
    element: @escaping @MainActor (State, ID) -> Part?
  ) -> ChildStores<ID, Part, PartAction> {
    observe()
    let current = ids(currentState)
    observedParts.read(current, IDsKey(elements: keyPath), of: ids)
    return ChildStores(ids: current) { id in
      element(self.currentState, id).map {
        self.child($0, state: { element($0, id) }, action: { action(id, $0) })
      }
    }
  }
}

/// Identifies the observed ids of a collection.
private struct IDsKey: Hashable {
  let elements: AnyKeyPath
}
