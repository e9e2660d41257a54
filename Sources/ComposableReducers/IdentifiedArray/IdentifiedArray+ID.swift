extension IdentifiedArray {
  /// The element with an id.
  ///
  /// ```swift
  /// array[id: 3]?.count += 1          // changed in place, if it exists
  /// array[id: 3] = Counter(id: 3)     // replaced, or appended
  /// array[id: 3] = nil                // removed
  /// ```
  ///
  /// The cost of reading and changing doesn't depend on the number of elements; removing costs time
  /// proportional to the number of elements behind.
  ///
  /// Assigning an element with another id reports an issue and changes nothing. Changing an
  /// element's id in place reports an issue, too. The old id is restored if `id:` was a writable
  /// key path. Otherwise (also with `Identifiable` alone), the element keeps its position under its
  /// new id, or, if another element has that id, is removed.
  @inlinable
  public subscript(id id: ID) -> Element? {
    get {
      find(id).map { storage[$0] }
    }
    set {
      guard let newValue else {
        remove(id: id)
        return
      }
      let newID = self.id(newValue)
      if newID != id {
        reportChanged(id, to: newID, "The array ignores the change.")
      } else if let position = find(id) {
        storage[position] = newValue
      } else {
        add(newValue, id: id, hash: table.isEmpty ? 0 : IDTable.hash(of: id))
      }
    }
    // Inlined, so that its frame isn't allocated.
    @inline(__always)
    _modify {
      var element: Element?
      let position = take(id, into: &element)
      defer { putBack(&element, id: id, at: position) }
      yield &element
    }
  }

  /// Moves the element with an id to a variable while it changes.
  ///
  /// The last element takes its place meanwhile. So only two elements move, and no second copy of
  /// this one prevents changing it in place.
  @inlinable
  mutating func take(_ id: ID, into element: inout Element?) -> Int? {
    guard let position = find(id) else { return nil }
    storage.swapAt(position, storage.count - 1)
    element = storage.removeLast()
    return position
  }

  /// Moves an element back that was taken.
  @inlinable
  mutating func putBack(_ element: inout Element?, id: ID, at position: Int?) {
    guard let position else {
      if let element { self[id: id] = element }
      return
    }
    if let changed = element.take() {
      storage.append(changed)
      storage.swapAt(position, storage.count - 1)
      if self.id(storage[position]) != storedIDs[position] {
        settle(at: position, mayChange: false)
      }
    } else {
      if position < storage.count {
        storage.append(storage.remove(at: position))
      }
      removeID(at: position)
    }
  }

  /// The ids, in the order of the elements; returned at no cost.
  @inlinable public var ids: [ID] { storedIDs }

  /// Returns the position of the element with an id, at constant cost.
  @inlinable
  public func index(id: ID) -> Int? {
    find(id)
  }

  /// Returns whether there is an element with an id, at constant cost.
  @inlinable
  public func contains(id: ID) -> Bool {
    find(id) != nil
  }
}
