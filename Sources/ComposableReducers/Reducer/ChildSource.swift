/// Where a state has the states of children.
protocol ChildSource<State>: SendableMetatype {
  associatedtype State
  associatedtype Children
  associatedtype ID: Hashable & Sendable
  associatedtype Child

  func children(in state: State) -> Children
  func child(_ id: ID, in children: Children) -> Child?

  /// The children that may have changed since a version; `nil` if it isn't known.
  func ids(changedSince version: inout (any AnyObject & Sendable)?, in children: Children) -> [ID]?
}

extension ChildSource {
  func ids(changedSince version: inout (any AnyObject & Sendable)?, in children: Children) -> [ID]?
  { nil }
}

/// A property, an optional, or a case of an enum.
struct PartSource<State, Child>: ChildSource {
  /// Returns the child's state, if it exists.
  let part: (State) -> Child?

  func children(in state: State) -> Child? { part(state) }
  func child(_ id: Int, in child: Child?) -> Child? { child }
}

/// An array or a dictionary.
struct CollectionSource<State, Children: ChildCollection>: ChildSource
where Children.ChildID: Sendable {
  let part: KeyPath<State, Children>

  func children(in state: State) -> Children { state[keyPath: part] }
  func child(_ id: Children.ChildID, in children: Children) -> Children.Child? {
    children._child(id: id)
  }

  func ids(changedSince version: inout (any AnyObject & Sendable)?, in children: Children)
    -> [Children.ChildID]?
  {
    defer { version = children._version }
    return version.flatMap { children._childIDs(changedSince: $0) }
  }
}

extension Pullback {
  /// A pullback through a property.
  @usableFromInline
  convenience init<State, Child>(_ part: any KeyPath<State, Child> & Sendable) {
    // Reducers of the state itself belong to the parent. The empty path must be on the left: the other
    // way round, comparing it traps in 6.3.
    let isSame = \State.self as AnyKeyPath == part
    self.init(at: isSame ? nil : part, mayDisappear: false) {
      PartSource<State, Child> { $0[keyPath: part] }
    }
  }

  /// A pullback through an optional.
  @usableFromInline
  convenience init<Child>(unwrapping type: Child.Type) {
    self.init(at: 0, mayDisappear: true) { PartSource<Child?, Child> { $0 } }
  }

  /// A pullback through the elements of a collection.
  @usableFromInline
  convenience init<State, Children: ChildCollection>(
    elements part: any KeyPath<State, Children> & Sendable
  ) where Children.ChildID: Sendable {
    self.init(at: part, mayDisappear: true) { CollectionSource(part: part) }
  }

  /// A pullback through a case, which can't be compared to others.
  convenience init<State, Child>(_ path: CasePath<State, Child>) {
    self.init(at: UniquePlace(), mayDisappear: true) {
      PartSource<State, Child> { path.extract(from: $0) }
    }
  }

  private convenience init<Source: ChildSource>(
    at place: (any Hashable & Sendable)?, mayDisappear: Bool,
    _ source: @escaping @Sendable () -> Source
  ) {
    self.init(
      place.map { Key(place: EffectID($0), source: ObjectIdentifier(Source.self)) },
      mayDisappear: mayDisappear
    ) { Branch(source(), mayDisappear: mayDisappear) }
  }
}

/// A place that equals no other.
private final class UniquePlace: Hashable, Sendable {
  static func == (lhs: UniquePlace, rhs: UniquePlace) -> Bool { lhs === rhs }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The children with effects of one source.
private final class Branch<Source: ChildSource>: ChildBranch {
  private let source: Source
  private let mayDisappear: Bool
  /// The version of the children that was checked.
  private var version: (any AnyObject & Sendable)?

  init(_ source: Source, mayDisappear: Bool) {
    self.source = source
    self.mayDisappear = mayDisappear
  }

  override func removeGone<State>(in state: State, _ gone: inout [EffectChild]) {
    if !mayDisappear, !children.values.contains(where: \.mayLose) { return }
    let states = source.children(in: state as! Source.State)
    if let changed = source.ids(changedSince: &version, in: states) {
      for id in changed {
        let key = EffectID(id)
        children[key].map { check($0, key, id, states, &gone) }
      }
    } else {
      for (key, child) in children { check(child, key, key.value as! Source.ID, states, &gone) }
    }
  }

  private func check(
    _ child: EffectChild, _ key: EffectID, _ id: Source.ID, _ states: Source.Children,
    _ gone: inout [EffectChild]
  ) {
    if let state = source.child(id, in: states),
      !mayDisappear || ChildIdentity(of: state) == child.identity
    {
      child.removeGone(in: state, &gone)
    } else {
      children[key] = nil
      gone.append(child)
    }
  }
}

extension ChildIdentity {
  /// The `id` of a state that is `Identifiable`.
  init?(of state: some Any) {
    guard let state = state as? any Identifiable else { return nil }
    value = Self.id(of: state)
  }

  private static func id(of state: some Identifiable) -> AnyHashable { AnyHashable(state.id) }
}
