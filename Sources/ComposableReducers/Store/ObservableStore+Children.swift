extension ObservableStore {
  /// Returns a store of a part of the state, which notifies only of changes to that part.
  ///
  /// It keeps this store alive, and you needn't retain it. For a part that may be removed,
  /// such as an optional or an element of an array, use ``optionalChild(state:action:)`` or
  /// ``children(state:action:)``: their child stores outlive the part.
  ///
  /// The part is read and compared after each action, which takes some microseconds. For hundreds of
  /// elements, use ``children(state:action:)`` and an `IdentifiedArray`, which knows what has changed.
  ///
  /// - Parameters:
  ///   - part: The part of the state, for example `\.profile`.
  ///   - action: The action that holds the part's action, for example `AppAction.profile`.
  public func child<Part: Equatable & Sendable, PartAction: Sendable>(
    state part: KeyPath<State, Part>,
    action: @escaping @MainActor (PartAction) -> Action
  ) -> ObservableStore<Part, PartAction> {
    makeChild(
      PartSource { $0[keyPath: part] }, at: part, 0, read: { self.currentState[keyPath: part] },
      exists: { self.exists }, action)
  }

  /// Returns a store of an optional part of the state, or `nil` if the part is `nil`.
  ///
  /// Code that calls this is notified when the part appears or disappears, but not when it changes.
  /// After the part is removed, the child store keeps the value that it last read.
  ///
  /// ```swift
  /// if let profile = store.optionalChild(state: \.profile, action: AppAction.profile) {
  ///   ProfileView(store: profile)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - part: The part of the state, for example `\.profile`.
  ///   - action: The action that holds the part's action, for example `AppAction.profile`.
  public func optionalChild<Part: Equatable & Sendable, PartAction: Sendable>(
    state part: KeyPath<State, Part?>,
    action: @escaping @MainActor (PartAction) -> Action
  ) -> ObservableStore<Part, PartAction>? {
    guard isPresent(part), let value = currentState[keyPath: part] else { return nil }
    return makeChild(value, PartSource { $0[keyPath: part] }, at: part, 0, action)
  }

  /// Whether an optional part is there; observed.
  func isPresent<Part>(_ part: KeyPath<State, Part?>) -> Bool {
    observe()
    let isPresent = currentState[keyPath: part] != nil
    observedParts.read(isPresent, at: part) { $0[keyPath: part] != nil }
    return isPresent
  }

  /// Returns the child stores of the elements of an array, or of the values of a dictionary.
  ///
  /// Code that calls this is notified when children are added, removed or moved, but not when they
  /// change. The store compares the ids after each action. A child store costs nothing until you access
  /// it.
  ///
  /// ```swift
  /// let rows = store.children(state: \.rows, action: AppAction.row)
  /// ForEach(rows.ids, id: \.self) { id in
  ///   if let row = rows[id: id] { RowView(store: row) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - children: The array or dictionary in the state, for example `\.rows`.
  ///   - action: The action that holds a child's id and action, for example `AppAction.row`.
  public func children<Children: ChildCollection, PartAction: Sendable>(
    state children: KeyPath<State, Children>,
    action: @escaping @MainActor (Children.ChildID, PartAction) -> Action
  ) -> ChildStores<Children.ChildID, Children.Child, PartAction>
  where Children.ChildID: Sendable, Children.Child: Equatable & Sendable {
    observe()
    let ids = currentState[keyPath: children]._childIDs
    observedParts.read(ids, at: children) {
      $0[keyPath: children]._childIDs
    }
    return ChildStores(ids: ids) { id in
      self.currentState[keyPath: children]._child(id: id).map {
        self.makeChild($0, CollectionSource(part: children), at: children, id) { action(id, $0) }
      }
    }
  }

  /// Makes a store of a part that may be removed, which then keeps the last value.
  private func makeChild<Source: ChildSource<State>, ChildAction: Sendable>(
    _ value: Source.Child, _ source: Source, at path: AnyKeyPath, _ id: Source.ID,
    _ action: @escaping @MainActor (ChildAction) -> Action
  ) -> ObservableStore<Source.Child, ChildAction> where Source.Child: Equatable {
    let find = { @MainActor in source.child(id, in: source.children(in: self.currentState)) }
    var last = value
    return makeChild(
      source, at: path, id,
      read: {
        if let part = find() { last = part }
        return last
      }, exists: { find() != nil && self.exists }, action)
  }

  private func makeChild<Source: ChildSource<State>, ChildAction: Sendable>(
    _ source: Source, at path: AnyKeyPath, _ id: Source.ID,
    read: @escaping @MainActor () -> Source.Child, exists: @escaping @MainActor () -> Bool,
    _ action: @escaping @MainActor (ChildAction) -> Action
  ) -> ObservableStore<Source.Child, ChildAction> where Source.Child: Equatable {
    ObservableStore<Source.Child, ChildAction>(
      ObservableStore<Source.Child, ChildAction>.PartOfState(
        read: read, exists: exists,
        observe: { parts in
          self.observe()
          return self.observedParts.child(source, at: path, id, parts, in: self.currentState)
        },
        send: { self.send(action($0)) }))
  }
}

/// The child stores of a collection in a store's state, created on demand.
///
/// See ``ObservableStore/children(state:action:)``.
@MainActor
public struct ChildStores<ID: Hashable & Sendable, State: Sendable, Action: Sendable> {
  /// The ids of the children, in order.
  public let ids: [ID]

  private let child: @MainActor (ID) -> ObservableStore<State, Action>?

  init(ids: [ID], child: @escaping @MainActor (ID) -> ObservableStore<State, Action>?) {
    self.ids = ids
    self.child = child
  }

  /// The store of a child; `nil` if the child doesn't exist.
  ///
  /// After the child is removed, the store keeps the value that it last read. Actions that you send to
  /// it are actions for a missing child.
  public subscript(id id: ID) -> ObservableStore<State, Action>? {
    child(id)
  }
}
