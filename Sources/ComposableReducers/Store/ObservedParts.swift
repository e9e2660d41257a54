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
  /// An object that lives as long as this one, for a quick check whether it does.
  fileprivate let token = Token()

  var isEmpty: Bool { !isWholeRead && parts.isEmpty }

  /// Adds the notifications due for a new state.
  func update(_ state: State, _ notifications: inout [Notification]) {
    if isWholeRead {
      isWholeRead = false
      notifications.append { self.registrar.withMutation(of: self, keyPath: \.isWholeRead) {} }
    }
    for (key, part) in parts where !part.update(state, &notifications) {
      // The user's `==` may have read a part again, and replaced it.
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

  /// Returns what is observed of a child store's state, for all stores of one child.
  ///
  /// - Parameter observed: Used if nothing is observed yet.
  func child<Source: ChildSource<State> & Hashable>(
    _ source: Source, _ id: Source.ID, _ observed: ObservedParts<Source.Child>, in state: State
  ) -> ObservedParts<Source.Child> where Source.Child: Equatable {
    let key = AnyHashable(source)
    let children = parts[key].map { $0 as! ObservedChildren<Source> } ?? ObservedChildren(source)
    parts[key] = children
    return children.observe(id, observed, in: state)
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

/// Has a second reference as long as the object that it belongs to exists.
private final class Token {}

/// The observed children of one source.
@MainActor
private final class ObservedChildren<Source: ChildSource & Hashable>: ObservedParts<Source.State>
    .Part
where Source.Child: Equatable {
  typealias Notification = ObservedParts<Source.State>.Notification

  /// A child, and what is observed of it.
  @MainActor
  private final class Member {
    let id: Source.ID
    private(set) weak var observed: ObservedParts<Source.Child>?
    private var token: Token
    private var value: Source.Child?

    init(_ id: Source.ID, _ observed: ObservedParts<Source.Child>, _ value: Source.Child?) {
      self.id = id
      self.observed = observed
      self.token = observed.token
      self.value = value
    }

    /// Whether there is a child store of it.
    ///
    /// Loading the weak reference would take longer than comparing the child.
    var hasStore: Bool { !isKnownUniquelyReferenced(&token) }

    /// Adds the notifications due for new children, and returns whether the child is still observed.
    func update(
      _ source: Source, _ children: Source.Children, _ notifications: inout [Notification]
    ) -> Bool {
      if !hasStore { return false }
      // A child that is gone keeps its last value.
      guard let new = source.child(id, in: children) else { return true }
      // Comparing two optionals takes twice as long in generic code.
      if let value, value == new { return true }
      value = new
      guard let observed else { return false }
      observed.update(new, &notifications)
      return !observed.isEmpty
    }

    var isObserved: Bool { observed.map { !$0.isEmpty } ?? false }
  }

  private let source: Source
  private var members: [Source.ID: Member] = [:]

  init(_ source: Source) {
    self.source = source
  }

  func observe(
    _ id: Source.ID, _ observed: ObservedParts<Source.Child>, in state: Source.State
  ) -> ObservedParts<Source.Child> {
    if let known = members[id]?.observed { return known }
    members[id] = Member(id, observed, source.child(id, in: source.children(in: state)))
    return observed
  }

  override func update(_ state: Source.State, _ notifications: inout [Notification]) -> Bool {
    if !members.values.contains(where: \.hasStore) { return false }
    let children = source.children(in: state)
    var ended: [Member] = []
    for member in members.values where !member.update(source, children, &notifications) {
      ended.append(member)
    }
    // The user's `==` may have observed a child again.
    for member in ended where members[member.id] === member && !member.isObserved {
      members[member.id] = nil
    }
    return !members.isEmpty
  }
}
