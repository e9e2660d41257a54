extension ObservableStore {
  /// Returns a store of a part of the state, which notifies only of changes to that part.
  ///
  /// It keeps this store alive. For a part that may be removed, such as an optional or an element
  /// of an array, use ``optionalChild(state:action:)`` or
  /// ``children(state:action:)->ChildStores<ID,Part,PartAction>``: their child stores outlive the
  /// part.
  ///
  /// - Parameters:
  ///   - part: The part of the state, for example `\.profile`.
  ///   - action: The action that holds the part's action, for example `AppAction.profile`.
  public func child<Part: Equatable & Sendable, PartAction: Sendable>(
    state part: @escaping @MainActor (State) -> Part,
    action: @escaping @MainActor (PartAction) -> Action
  ) -> ObservableStore<Part, PartAction> {
    makeChild(part, read: { part(self.currentState) }, action)
  }

  /// Returns a store of an optional part of the state, or `nil` if the part is `nil`.
  ///
  /// Code that calls this is notified when the part appears or disappears, but not when it changes.
  /// After the part is removed, the child store keeps the value that it last read or compared.
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
    observe()
    let value = currentState[keyPath: part]
    observedParts.read(value != nil, PresenceKey(part: part)) { $0[keyPath: part] != nil }
    return value.map { child($0, state: { $0[keyPath: part] }, action: action) }
  }

  /// Returns a store of a part that may be removed, which then keeps the last value.
  func child<Part: Equatable & Sendable, PartAction: Sendable>(
    _ value: Part,
    state part: @escaping @MainActor (State) -> Part?,
    action: @escaping @MainActor (PartAction) -> Action
  ) -> ObservableStore<Part, PartAction> {
    var last = value
    let keepingLast: @MainActor (State) -> Part = { state in
      if let part = part(state) { last = part }
      return last
    }
    return makeChild(keepingLast, read: { keepingLast(self.currentState) }, action)
  }

  private func makeChild<Part: Equatable & Sendable, PartAction: Sendable>(
    _ part: @escaping @MainActor (State) -> Part,
    read: @escaping @MainActor () -> Part,
    _ action: @escaping @MainActor (PartAction) -> Action
  ) -> ObservableStore<Part, PartAction> {
    ObservableStore<Part, PartAction>(
      ObservableStore<Part, PartAction>.PartOfState(
        read: read,
        observe: { child in
          self.observe()
          self.observedParts.add(ObjectIdentifier(child.observedParts)) {
            ObservedChild(child, part)
          }
        },
        send: { self.send(action($0)) }))
  }
}

/// Identifies the observed presence of an optional part.
private struct PresenceKey: Hashable {
  let part: AnyKeyPath
}

/// What was read of a child store, whose reader may have released it since.
@MainActor
private final class ObservedChild<State: Sendable, Part: Equatable & Sendable>:
  ObservedParts<State>.Part
{
  private let observed: ObservedParts<Part>
  private var value: Part
  private let part: @MainActor (State) -> Part

  init<PartAction>(
    _ child: ObservableStore<Part, PartAction>, _ part: @escaping @MainActor (State) -> Part
  ) {
    observed = child.observedParts
    value = child.currentState
    self.part = part
  }

  override var isOrphan: Bool { observed.isOrphan }

  override func update(
    _ state: State, _ notifications: inout [ObservedParts<State>.Notification]
  ) -> Bool {
    let newValue = part(state)
    if newValue == value { return true }
    value = newValue
    observed.update(newValue, &notifications)
    return !observed.isEmpty
  }

  override func endObservation(_ notifications: inout [ObservedParts<State>.Notification]) {
    observed.endObservation(&notifications)
  }
}
