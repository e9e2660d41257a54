/// The effects of a child's reducer, which end with the child's state.
///
/// The owners of a store form a tree like the children whose state can be removed: one owner for
/// each child with running effects, at each place of a pullback. An owner's group contains the
/// effects of the owners below it.
///
/// Used only in the store's isolation, apart from the functions of ``EffectGroup``.
@usableFromInline
final class EffectOwner: EffectGroup, @unchecked Sendable {
  /// The owners for the children at one place.
  @usableFromInline
  class Children {
    fileprivate let place: ReducerPlace

    fileprivate init(at place: ReducerPlace) {
      self.place = place
    }
  }

  /// The owners for the children at one place, by id.
  @usableFromInline
  final class Elements<ID: Hashable>: Children {
    @usableFromInline fileprivate(set) var owners: [ID: EffectOwner] = [:]
    /// The ids of all elements when they were looked for last, if that is worth keeping.
    private var lastIDs: [ID]?
    /// The owners that have come since.
    fileprivate var newIDs: [ID] = []
    /// How many of the owners have children themselves.
    fileprivate var parentCount = 0

    /// Whether no owner has children whose state may be gone.
    @usableFromInline var hasNoGrandchildren: Bool { parentCount == 0 }

    /// The ids whose elements may be gone.
    ///
    /// - Parameter ids: Those of all elements, if they are in an array. The same memory as the last
    ///   time holds the same ids.
    @usableFromInline
    func candidates(among ids: [ID]?) -> [ID] {
      guard let ids, let lastIDs, hasSameMemory(ids, lastIDs) else { return Array(owners.keys) }
      return newIDs
    }

    @discardableResult
    fileprivate func remove(_ id: ID) -> EffectOwner? {
      let owner = owners.removeValue(forKey: id)
      if owner?.hasChildren == true { parentCount -= 1 }
      return owner
    }

    /// Remembers which elements there are, where a change of them costs less than to look for each
    /// owner's element.
    @usableFromInline
    func remember(_ ids: [ID]?) {
      newIDs = []
      lastIDs = owners.count * 8 >= (ids?.count ?? .max) ? ids : nil
    }

    private func hasSameMemory(_ lhs: [ID], _ rhs: [ID]) -> Bool {
      unsafe lhs.withUnsafeBufferPointer { lhs in
        unsafe rhs.withUnsafeBufferPointer { rhs in
          unsafe lhs.count == rhs.count && lhs.baseAddress == rhs.baseAddress
        }
      }
    }
  }

  @usableFromInline private(set) var children: [ObjectIdentifier: Children] = [:]
  /// Removes this owner from its parent, if it is still there.
  private let leave: (EffectOwner) -> Void
  /// Counts the owners with children where this one is, if it's still there.
  private let countParents: (EffectOwner, Int) -> Void

  init(
    leave: @escaping (EffectOwner) -> Void = { _ in },
    countParents: @escaping (EffectOwner, Int) -> Void = { _, _ in }
  ) {
    self.leave = leave
    self.countParents = countParents
    super.init()
  }

  @inlinable var hasChildren: Bool { !children.isEmpty }

  @inlinable
  func elements<ID>(at place: ReducerPlace, by id: ID.Type) -> Elements<ID>? {
    // Sound, because a place belongs to one pullback, whose ids have one type.
    children[ObjectIdentifier(place)].map { unsafe unsafeDowncast($0, to: Elements<ID>.self) }
  }

  /// Returns the owner for a child, and whether it was created now.
  func child<ID: Hashable>(_ id: ID, at place: ReducerPlace) -> (EffectOwner, isNew: Bool) {
    let elements = elements(at: place, by: ID.self) ?? Elements<ID>(at: place)
    if children.isEmpty { countParents(self, 1) }
    children[ObjectIdentifier(place)] = elements
    if let owner = elements.owners[id] { return (owner, false) }
    let owner = EffectOwner { [weak self, weak elements] owner in
      guard let elements, elements.owners[id] === owner else { return }
      elements.remove(id)
      self?.forget(elements)
    } countParents: { [weak elements] owner, change in
      guard let elements, elements.owners[id] === owner else { return }
      elements.parentCount += change
    }
    elements.owners[id] = owner
    elements.newIDs.append(id)
    return (owner, true)
  }

  /// Takes out the owners of children that are gone.
  @usableFromInline
  func take<ID: Hashable>(_ ids: [ID], of elements: Elements<ID>) -> [EffectOwner] {
    defer { forget(elements) }
    return ids.compactMap { elements.remove($0) }
  }

  /// Ends the effects of children that are gone, in the order in which the effects were made.
  static func end(_ owners: [EffectOwner]) {
    guard let first = owners.first else { return }
    if owners.count == 1 { return first.cancel() }
    owners.flatMap(\.all).sortedByAge().cancel()
  }

  private func forget<ID>(_ elements: Elements<ID>) {
    guard elements.owners.isEmpty,
      children.removeValue(forKey: ObjectIdentifier(elements.place)) != nil
    else { return }
    if children.isEmpty { countParents(self, -1) }
  }

  override func forget() {
    leave(self)
  }
}

/// Identifies the child that an effect belongs to.
class EffectOwnership: @unchecked Sendable {  // Immutable, and used in the store's isolation only.
  func owner(below owner: EffectOwner) -> (EffectOwner, isNew: Bool) {
    (owner, false)
  }
}

/// Identifies the child that an effect belongs to by the child's id.
final class ElementOwnership<ID: Hashable>: EffectOwnership, @unchecked Sendable {
  private let id: ID
  private let place: ReducerPlace

  init(_ id: ID, _ place: ReducerPlace) {
    self.id = id
    self.place = place
    super.init()
  }

  override func owner(below owner: EffectOwner) -> (EffectOwner, isNew: Bool) {
    owner.child(id, at: place)
  }
}

extension Effect {
  /// Returns the same effect, which ends with the child's state.
  @inlinable
  func owned<ID: Hashable>(by id: ID, in context: ReducerContext) -> Effect {
    isNone ? self : ownedNode(by: id, in: context)
  }

  @usableFromInline
  func ownedNode<ID: Hashable>(by id: ID, in context: ReducerContext) -> Effect {
    guard let node else { return self }
    if case .cancel = node.kind { return self }
    return unsafe context.place._withUnsafeGuaranteedRef { place in
      place.leadToOwners()
      return Effect(.owned(node, ElementOwnership(id, place)))
    }
  }
}
