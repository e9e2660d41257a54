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

  /// Returns what is observed of a child store's state, for all stores of one child.
  ///
  /// - Parameter observed: Used if nothing is observed yet.
  func child<Source: ObservedSource<State>>(
    _ source: Source, _ id: Source.ID, _ observed: ObservedParts<Source.Child>, in state: State
  ) -> ObservedParts<Source.Child> {
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

/// The part of a state in which child stores have their states.
protocol ObservedSource<State>: Hashable {
  associatedtype State
  associatedtype Children
  associatedtype ID: Hashable
  associatedtype Child: Equatable

  func children(in state: State) -> Children
  func child(_ id: ID, in children: Children) -> Child?
}

/// The observed children of one source.
@MainActor
private final class ObservedChildren<Source: ObservedSource>: ObservedParts<Source.State>.Part {
  /// A child, as long as there is a store of it.
  @MainActor
  private final class Member {
    weak var observed: ObservedParts<Source.Child>?
    var value: Source.Child?

    init(_ observed: ObservedParts<Source.Child>, _ value: Source.Child?) {
      self.observed = observed
      self.value = value
    }
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
    members[id] = Member(observed, source.child(id, in: source.children(in: state)))
    return observed
  }

  override func update(
    _ state: Source.State, _ notifications: inout [ObservedParts<Source.State>.Notification]
  ) -> Bool {
    if members.values.allSatisfy({ $0.observed == nil }) { return false }
    let children = source.children(in: state)
    for (id, member) in members {
      if let observed = member.observed {
        // A child that is gone keeps its last value.
        guard let value = source.child(id, in: children), value != member.value else { continue }
        member.value = value
        observed.update(value, &notifications)
        if !observed.isEmpty { continue }
      }
      // A comparison may have observed the child again.
      if members[id] === member { members[id] = nil }
    }
    return !members.isEmpty
  }
}
