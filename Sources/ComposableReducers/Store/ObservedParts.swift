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

    /// Whether the part is still observed.
    var isObserved: Bool { preconditionFailure("A subclass knows what is observed.") }

    /// Adds the observers to notify of a new state, and returns whether the part may have lost them all.
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
  /// The code that read the whole state since the last notification.
  private var readers: Observers?

  var isEmpty: Bool { readers == nil && parts.isEmpty }

  /// Adds the observers to notify of a new state.
  func update(_ state: State, _ notified: inout [Observers]) {
    endWhole(&notified)
    for (path, parts) in parts {
      let areTooMany = areTooMany(parts)
      var mayHaveEnded = areTooMany
      for part in parts {
        if areTooMany {
          part.end(&notified)
        } else if part.update(state, &notified) {
          mayHaveEnded = true
        }
      }
      if !mayHaveEnded { continue }
      // The user's `==` may have read other parts meanwhile.
      self.parts[path]?.removeAll { !$0.isObserved }
      if self.parts[path]?.isEmpty == true { self.parts[path] = nil }
    }
  }

  /// Whether the parts of equal key paths are rather read by new objects again and again than in so many
  /// places.
  private func areTooMany(_ parts: [Part]) -> Bool { parts.count > 50 }

  /// Adds all observers.
  func end(_ notified: inout [Observers]) {
    endWhole(&notified)
    for part in parts.values.joined() { part.end(&notified) }
    parts = [:]
  }

  private func endWhole(_ notified: inout [Observers]) {
    if let readers = readers.take() { notified.append(readers) }
  }

  /// Records a read of the whole state.
  func readWhole() {
    let known = readers ?? Observers()
    readers = known
    known.add()
  }

  /// Records a read of a value that the state has at a key path.
  func read<Value: Equatable>(
    _ value: Value, at path: AnyKeyPath, _ get: @escaping @MainActor (State) -> Value
  ) {
    part(path) { Property(path, ObservedValue(ObservedParts<Value>(), value), get) }?
      .value.observed.readWhole()
  }

  /// Returns what is observed of a child store's state, for all stores of one child.
  ///
  /// - Parameters:
  ///   - observed: Used if nothing is observed yet.
  ///   - get: Returns the child's state, if it exists.
  func child<Child: Equatable>(
    at path: AnyKeyPath, _ observed: ObservedParts<Child>, in state: State,
    _ get: @escaping @MainActor (State) -> Child?
  ) -> ObservedParts<Child> {
    part(path) { Property(path, ObservedValue(observed, get(state)), get) }?.value.observed
      ?? observed
  }

  /// Returns what is observed of a child store's state, for all stores of one child in a collection.
  ///
  /// - Parameter observed: Used if nothing is observed yet.
  func child<Source: ChildSource<State>>(
    _ id: Source.ID, of source: Source, at path: AnyKeyPath,
    _ observed: ObservedParts<Source.Child>, in state: State
  ) -> ObservedParts<Source.Child> where Source.Child: Equatable {
    part(path) { Children(source, path) }?.observe(id, observed, in: state) ?? observed
  }

  /// Returns the part to observe; `nil` if there are too many, so that the whole is observed instead.
  private func part<Found: Part>(_ path: AnyKeyPath, _ make: () -> Found) -> Found? {
    for case let known as Found in parts[path, default: []] where known.path === path {
      return known
    }
    if areTooMany(parts[path, default: []]) {
      readWhole()
      return nil
    }
    let new = make()
    parts[path, default: []].append(new)
    return new
  }

  /// A property, an optional, or what is computed of one.
  @MainActor
  private final class Property<Value: Equatable>: Part {
    let value: ObservedValue<Value>
    private let get: @MainActor (State) -> Value?

    init(
      _ path: AnyKeyPath, _ value: ObservedValue<Value>,
      _ get: @escaping @MainActor (State) -> Value?
    ) {
      self.value = value
      self.get = get
      super.init(path)
    }

    override var isObserved: Bool { value.isObserved }

    override func update(_ state: State, _ notified: inout [Observers]) -> Bool {
      value.update(get(state), &notified)
    }

    override func end(_ notified: inout [Observers]) { value.observed.end(&notified) }
  }

  /// The observed children of a collection.
  @MainActor
  private final class Children<Source: ChildSource<State>>: Part where Source.Child: Equatable {
    private let source: Source
    private var members: [Source.ID: ObservedValue<Source.Child>] = [:]
    /// The version of the children that was compared.
    private var version: (any AnyObject & Sendable)?

    init(_ source: Source, _ path: AnyKeyPath) {
      self.source = source
      super.init(path)
    }

    func observe(
      _ id: Source.ID, _ observed: ObservedParts<Source.Child>, in state: State
    ) -> ObservedParts<Source.Child> {
      if let known = members[id]?.observed { return known }
      members[id] = ObservedValue(observed, source.child(id, in: source.children(in: state)))
      return observed
    }

    override var isObserved: Bool { !members.isEmpty }

    override func update(_ state: State, _ notified: inout [Observers]) -> Bool {
      let children = source.children(in: state)
      let changed = source.ids(changedSince: &version, in: children)
      for id in changed ?? Array(members.keys) {
        guard let member = members[id], member.update(source.child(id, in: children), &notified)
        else { continue }
        // The user's `==` may have observed the child again.
        if members[id]?.isObserved == false { members[id] = nil }
      }
      return members.isEmpty
    }

    override func end(_ notified: inout [Observers]) {
      for member in members.values { member.observed.end(&notified) }
      members = [:]
    }
  }
}

/// A value that was read of a state, and what is observed of it.
@MainActor
private final class ObservedValue<Value: Equatable> {
  private(set) var observed: ObservedParts<Value>
  private var value: Value?

  init(_ observed: ObservedParts<Value>, _ value: Value?) {
    self.observed = observed
    self.value = value
  }

  var isObserved: Bool { !observed.isEmpty }

  /// Adds the observers to notify of a new value, and returns whether it may have lost them all.
  func update(_ new: Value?, _ notified: inout [Observers]) -> Bool {
    guard let new else {
      // A child store of one that is gone keeps its last value, and continues with the next.
      if isKnownUniquelyReferenced(&observed) { observed = ObservedParts() }
      return true
    }
    // Comparing two optionals takes twice as long in generic code.
    if let value, value == new { return false }
    value = new
    observed.update(new, &notified)
    return true
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
