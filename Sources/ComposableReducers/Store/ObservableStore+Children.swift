extension ObservableStore {
  /// Returns a store of a part of the state, which notifies only of changes to that part.
  ///
  /// It keeps this store alive, and you needn't retain it. For a part that may be removed,
  /// such as an optional or an element of an array, use ``optionalChild(state:action:)`` or
  /// ``children(state:action:)``: their child stores outlive the part.
  ///
  /// The part is read and compared after each action, which takes about half a microsecond. For hundreds
  /// of elements, use ``children(state:action:)`` and an `IdentifiedArray`, which knows what has changed.
  ///
  /// - Parameters:
  ///   - part: The part of the state, for example `\.profile`.
  ///   - action: The action that holds the part's action, for example `AppAction.profile`.
  public func child<Part: Equatable & Sendable, PartAction: Sendable>(
    state part: KeyPath<State, Part>,
    action: @escaping @MainActor (PartAction) -> Action
  ) -> ObservableStore<Part, PartAction> {
    makeChild(
      read: { self.currentState[keyPath: part] }, exists: { self.exists },
      observe: { $0.child(at: part, $1, in: $2) { $0[keyPath: part] } }, action)
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
    return makeChild(
      value, find: { $0[keyPath: part] },
      observe: { $0.child(at: part, $1, in: $2) { $0[keyPath: part] } }, action)
  }

  /// Whether an optional part is there; observed.
  func isPresent<Part>(_ part: KeyPath<State, Part?>) -> Bool {
    observe()
    let isPresent = currentState[keyPath: part] != nil
    observedParts.read(Presence(isPresent: isPresent), at: part) {
      Presence(isPresent: $0[keyPath: part] != nil)
    }
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
    observedParts.read(ids, at: children) { $0[keyPath: children]._childIDs }
    let source = CollectionSource(part: children)
    return ChildStores(ids: ids) { id in
      self.currentState[keyPath: children]._child(id: id).map {
        self.makeChild(
          $0, find: { $0[keyPath: children]._child(id: id) },
          observe: { $0.child(id, of: source, at: children, $1, in: $2) }
        ) { action(id, $0) }
      }
    }
  }

  /// Returns what is observed of a child in the parent's state.
  private typealias Observe<Child> =
    @MainActor (
      _ parts: ObservedParts<State>, _ child: ObservedParts<Child>, _ state: State
    ) -> ObservedParts<Child>

  /// Makes a store of a part that may be removed, which then keeps the last value.
  private func makeChild<Child: Sendable, ChildAction: Sendable>(
    _ value: Child, find: @escaping @MainActor (State) -> Child?,
    observe: @escaping Observe<Child>, _ action: @escaping @MainActor (ChildAction) -> Action
  ) -> ObservableStore<Child, ChildAction> {
    var last = value
    return makeChild(
      read: {
        if let part = find(self.currentState) { last = part }
        return last
      }, exists: { find(self.currentState) != nil && self.exists }, observe: observe, action)
  }

  private func makeChild<Child: Sendable, ChildAction: Sendable>(
    read: @escaping @MainActor () -> Child, exists: @escaping @MainActor () -> Bool,
    observe: @escaping Observe<Child>, _ action: @escaping @MainActor (ChildAction) -> Action
  ) -> ObservableStore<Child, ChildAction> {
    ObservableStore<Child, ChildAction>(
      ObservableStore<Child, ChildAction>.PartOfState(
        read: read, exists: exists,
        observe: { parts in
          self.observe()
          return observe(self.observedParts, parts, self.currentState)
        },
        send: { self.send(action($0)) }))
  }
}

/// Whether an optional part exists: not a `Bool`, which the part itself may be.
private struct Presence: Equatable {
  let isPresent: Bool
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
