internal import Observation

/// The observed parts of one store's state, each with the value that was read.
///
/// After a part is read, it is compared after each action until it changes. Observers are notified
/// once, and read the part again if they are still interested.
@MainActor
final class ObservedParts<State>: Observable {
  typealias Notification = @MainActor () -> Void

  /// A part of the state.
  @MainActor
  fileprivate class Part {
    /// Adds the notifications due for a new state.
    ///
    /// - Returns: Whether the part is still observed.
    func update(_ state: State, _ notifications: inout [Notification]) -> Bool {
      preconditionFailure("A subclass knows its value.")
    }
  }

  private var parts: [AnyHashable: Part] = [:]
  /// Whether the whole state was read since the last notification.
  private var isWholeRead = false
  private let registrar = ObservationRegistrar()

  var isEmpty: Bool { !isWholeRead && parts.isEmpty }

  /// Adds the notifications due for a new state.
  func update(_ state: State, _ notifications: inout [Notification]) {
    if isWholeRead {
      isWholeRead = false
      notifications.append { self.registrar.withMutation(of: self, keyPath: \.isWholeRead) {} }
    }
    for (key, part) in parts where !part.update(state, &notifications) {
      // A comparison may have read a part again, and replaced it.
      if parts[key] === part { parts[key] = nil }
    }
  }

  /// Records a read of the whole state.
  func readWhole() {
    isWholeRead = true
    registrar.access(self, keyPath: \.isWholeRead)
  }

  /// Records a read of the value that the state has under a key.
  func read<Value: Equatable>(
    _ value: Value, _ key: AnyHashable, of get: @escaping @MainActor (State) -> Value
  ) {
    let member = parts[key].map { $0 as! Member<Value> } ?? Member(value, get)
    parts[key] = member
    member.access()
  }

  /// Returns what is observed of a child store's state, for all child stores with one key.
  ///
  /// - Parameter observed: Used if nothing is observed yet.
  func child<Child: Equatable>(
    _ key: AnyHashable, _ observed: ObservedParts<Child>, in state: State,
    of get: @escaping @MainActor (State) -> Child?
  ) -> ObservedParts<Child> {
    if let known = (parts[key] as? ObservedChild<State, Child>)?.observed { return known }
    parts[key] = ObservedChild(observed, get(state), get)
    return observed
  }

  /// A value of the state.
  @MainActor
  private final class Member<Value: Equatable>: Part, Observable {
    private let value: Value
    private let get: @MainActor (State) -> Value
    private let registrar = ObservationRegistrar()

    init(_ value: Value, _ get: @escaping @MainActor (State) -> Value) {
      self.value = value
      self.get = get
    }

    func access() {
      registrar.access(self, keyPath: \.value)
    }

    override func update(_ state: State, _ notifications: inout [Notification]) -> Bool {
      if get(state) == value { return true }
      notifications.append { self.registrar.withMutation(of: self, keyPath: \.value) {} }
      return false
    }
  }
}

/// The observed parts of a child store's state, as long as there is such a child store.
@MainActor
private final class ObservedChild<State, Child: Equatable>: ObservedParts<State>.Part {
  private(set) weak var observed: ObservedParts<Child>?
  private var value: Child?
  private let get: @MainActor (State) -> Child?

  init(
    _ observed: ObservedParts<Child>, _ value: Child?, _ get: @escaping @MainActor (State) -> Child?
  ) {
    self.observed = observed
    self.value = value
    self.get = get
  }

  override func update(
    _ state: State, _ notifications: inout [ObservedParts<State>.Notification]
  ) -> Bool {
    guard let observed else { return false }
    // Of a child that is gone, the last value stays.
    guard let newValue = get(state), newValue != value else { return true }
    value = newValue
    observed.update(newValue, &notifications)
    return !observed.isEmpty
  }
}
