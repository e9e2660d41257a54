internal import Observation

/// The observed parts of one store's state, each with the value that was read.
///
/// After a part is read, it is compared after each action until it changes. Observers are notified
/// once, and read the part again if they are still interested.
@MainActor
final class ObservedParts<State> {
  /// A part of the state.
  @MainActor
  fileprivate class Part {
    /// The key path that leads to it.
    let path: AnyKeyPath

    init(_ path: AnyKeyPath) {
      self.path = path
    }

    /// Adds the observers to notify of a new state.
    ///
    /// - Returns: Whether the part is still observed.
    func update(_ state: State, _ notified: inout [Observers]) -> Bool {
      preconditionFailure("A subclass knows its value.")
    }

    /// Adds all observers.
    func end(_ notified: inout [Observers]) {
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
  private let readers = Observers()

  var isEmpty: Bool { !isWholeRead && parts.isEmpty }

  /// Adds the observers to notify of a new state.
  func update(_ state: State, _ notified: inout [Observers]) {
    endWhole(&notified)
    for (path, parts) in parts {
      // More are rather read by new objects again and again than in so many places.
      let areTooMany = parts.count > 50
      var ended: [Part] = []
      for part in parts {
        if areTooMany {
          part.end(&notified)
        } else if part.update(state, &notified) {
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

  /// Adds all observers.
  func end(_ notified: inout [Observers]) {
    endWhole(&notified)
    for part in parts.values.joined() { part.end(&notified) }
    parts = [:]
  }

  private func endWhole(_ notified: inout [Observers]) {
    if !isWholeRead { return }
    isWholeRead = false
    notified.append(readers)
  }

  /// Records a read of the whole state.
  func readWhole() {
    isWholeRead = true
    readers.add()
  }

  /// Records a read of a value that the state has at a key path.
  func read<Value: Equatable>(
    _ value: Value, at path: AnyKeyPath, _ get: @escaping @MainActor (State) -> Value
  ) {
    part(path) { Member(value, path, get) }.observers.add()
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
  private final class Member<Value: Equatable>: Part {
    let observers = Observers()
    private let value: Value
    private let get: @MainActor (State) -> Value

    init(_ value: Value, _ path: AnyKeyPath, _ get: @escaping @MainActor (State) -> Value) {
      self.value = value
      self.get = get
      super.init(path)
    }

    override func update(_ state: State, _ notified: inout [Observers]) -> Bool {
      if get(state) == value { return true }
      end(&notified)
      return false
    }

    override func end(_ notified: inout [Observers]) { notified.append(observers) }
  }
}

/// The observed children of one source.
@MainActor
private final class ObservedChildren<Source: ChildSource>: ObservedParts<Source.State>
    .Part
where Source.Child: Equatable {
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

    /// Adds the observers to notify of a new value, and returns whether the child is still observed.
    func update(_ new: Source.Child, _ notified: inout [Observers]) -> Bool {
      // Comparing two optionals takes twice as long in generic code.
      if let value, value == new { return true }
      value = new
      observed.update(new, &notified)
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

  override func update(_ state: Source.State, _ notified: inout [Observers]) -> Bool {
    let children = source.children(in: state)
    let changed = source.ids(changedSince: &version, in: children)
    for id in changed ?? Array(members.keys) {
      guard let member = members[id] else { continue }
      if let new = source.child(id, in: children) {
        if member.update(new, &notified) { continue }
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

  override func end(_ notified: inout [Observers]) {
    for member in members.values { member.observed.end(&notified) }
    members = [:]
  }
}

/// The code that observes one part of a state.
///
/// Not generic: the key path of a generic class is made anew at each access.
@MainActor
final class Observers: Observable {
  private var part: Void { () }
  private let registrar = ObservationRegistrar()

  /// Adds the code that is reading the part.
  func add() { registrar.access(self, keyPath: \.part) }

  func notify() { registrar.withMutation(of: self, keyPath: \.part) {} }
}
