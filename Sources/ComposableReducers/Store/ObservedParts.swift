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
    /// The key path that leads to it.
    let path: AnyKeyPath

    init(_ path: AnyKeyPath) {
      self.path = path
    }

    /// Adds the notifications due for a new state.
    ///
    /// - Returns: Whether the part is still observed.
    func update(_ state: State, _ notifications: inout [Notification]) -> Bool {
      preconditionFailure("A subclass knows its value.")
    }

    /// Adds the notifications of all observers.
    func end(_ notifications: inout [Notification]) {
      preconditionFailure("A subclass knows its observers.")
    }
  }

  /// The parts by the key paths that lead to them.
  ///
  /// Key paths that differ in a generic argument are equal. So only reads by the same object share a
  /// part. A literal is one object, unless it captures something.
  private var parts: [AnyKeyPath: [Part]] = [:]
  /// Whether the whole state was read since the last notification.
  private var isWholeRead = false
  private let registrar = ObservationRegistrar()

  var isEmpty: Bool { !isWholeRead && parts.isEmpty }

  /// Adds the notifications due for a new state.
  func update(_ state: State, _ notifications: inout [Notification]) {
    endWhole(&notifications)
    for (path, parts) in parts {
      // More are rather read by new objects again and again than in so many places.
      let areTooMany = parts.count > 50
      var ended: [Part] = []
      for part in parts {
        if areTooMany {
          part.end(&notifications)
        } else if part.update(state, &notifications) {
          continue
        }
        ended.append(part)
      }
      if ended.isEmpty { continue }
      // The user's `==` may have read a part again, and replaced it.
      self.parts[path]?.removeAll { part in ended.contains { $0 === part } }
      if self.parts[path]?.isEmpty == true { self.parts[path] = nil }
    }
  }

  /// Adds the notifications of all observers.
  func end(_ notifications: inout [Notification]) {
    endWhole(&notifications)
    for part in parts.values.joined() { part.end(&notifications) }
    parts = [:]
  }

  private func endWhole(_ notifications: inout [Notification]) {
    if !isWholeRead { return }
    isWholeRead = false
    notifications.append { self.registrar.withMutation(of: self, keyPath: \.isWholeRead) {} }
  }

  /// Records a read of the whole state.
  func readWhole() {
    isWholeRead = true
    registrar.access(self, keyPath: \.isWholeRead)
  }

  /// Records a read of a value that the state has at a key path.
  func read<Value: Equatable>(
    _ value: Value, at path: AnyKeyPath, _ get: @escaping @MainActor (State) -> Value
  ) {
    part(path) { Member(value, path, get) }.access()
  }

  /// Returns what is observed of a child store's state, for all stores of one child.
  ///
  /// - Parameter observed: Used if nothing is observed yet.
  func child<Source: ChildSource<State>>(
    _ source: Source, at path: AnyKeyPath, _ id: Source.ID,
    _ observed: ObservedParts<Source.Child>, in state: State
  ) -> ObservedParts<Source.Child> where Source.Child: Equatable {
    part(path) { ObservedChildren(source, path) }
      .observe(id, observed, in: state)
  }

  private func part<Found: Part>(_ path: AnyKeyPath, _ make: () -> Found) -> Found {
    for case let known as Found in parts[path, default: []] where known.path === path {
      return known
    }
    let new = make()
    parts[path, default: []].append(new)
    return new
  }

  /// A value of the state.
  @MainActor
  private final class Member<Value: Equatable>: Part, Observable {
    private let value: Value
    private let get: @MainActor (State) -> Value
    private let registrar = ObservationRegistrar()

    init(_ value: Value, _ path: AnyKeyPath, _ get: @escaping @MainActor (State) -> Value) {
      self.value = value
      self.get = get
      super.init(path)
    }

    func access() {
      registrar.access(self, keyPath: \.value)
    }

    override func update(_ state: State, _ notifications: inout [Notification]) -> Bool {
      if get(state) == value { return true }
      end(&notifications)
      return false
    }

    override func end(_ notifications: inout [Notification]) {
      notifications.append { self.registrar.withMutation(of: self, keyPath: \.value) {} }
    }
  }
}

/// The observed children of one source.
@MainActor
private final class ObservedChildren<Source: ChildSource>: ObservedParts<Source.State>
    .Part
where Source.Child: Equatable {
  typealias Notification = ObservedParts<Source.State>.Notification

  /// A child, and what is observed of it.
  @MainActor
  private final class Member {
    private(set) var observed: ObservedParts<Source.Child>
    private var value: Source.Child?

    init(_ observed: ObservedParts<Source.Child>, _ value: Source.Child?) {
      self.observed = observed
      self.value = value
    }

    /// Whether there is a child store of it.
    var hasStore: Bool { !isKnownUniquelyReferenced(&observed) }

    /// Adds the notifications due for a new value, and returns whether the child is still observed.
    func update(_ new: Source.Child, _ notifications: inout [Notification]) -> Bool {
      // Comparing two optionals takes twice as long in generic code.
      if let value, value == new { return true }
      value = new
      observed.update(new, &notifications)
      return !observed.isEmpty
    }
  }

  private let source: Source
  private var members: [Source.ID: Member] = [:]
  /// The version of the children that was compared.
  private var version: (any AnyObject & Sendable)?

  init(_ source: Source, _ path: AnyKeyPath) {
    self.source = source
    super.init(path)
  }

  func observe(
    _ id: Source.ID, _ observed: ObservedParts<Source.Child>, in state: Source.State
  ) -> ObservedParts<Source.Child> {
    if let known = members[id]?.observed { return known }
    members[id] = Member(observed, source.child(id, in: source.children(in: state)))
    return observed
  }

  override func update(_ state: Source.State, _ notifications: inout [Notification]) -> Bool {
    let children = source.children(in: state)
    let changed = source.ids(changedSince: &version, in: children)
    for id in changed ?? Array(members.keys) {
      guard let member = members[id] else { continue }
      if let new = source.child(id, in: children) {
        if member.update(new, &notifications) { continue }
        // The user's `==` may have observed the child again.
        if members[id] !== member || !member.observed.isEmpty { continue }
      } else if member.hasStore {
        // A child store of one that is gone keeps its last value, and continues with the next.
        continue
      }
      members[id] = nil
    }
    return !members.isEmpty
  }

  override func end(_ notifications: inout [Notification]) {
    for member in members.values { member.observed.end(&notifications) }
    members = [:]
  }
}
