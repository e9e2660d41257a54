extension IdentifiedArray {
  /// The element with an id.
  ///
  /// ```swift
  /// array[id: 3]?.count += 1          // changed in place, where it is there
  /// array[id: 3] = Counter(id: 3)     // replaced, or appended
  /// array[id: 3] = nil                // removed
  /// ```
  ///
  /// Reading and changing cost the same whatever the number of elements; removing costs in
  /// proportion to the elements behind it.
  ///
  /// Assigning an element with another id reports an issue and changes nothing. An element whose
  /// id is changed in place reports an issue too, and gets the id back where `id:` was a writable
  /// key path. Where it was not (`Identifiable` alone gives none), the element keeps its place
  /// under its new id; if another element has that one, it is removed.
  public subscript(id id: ID) -> Element? {
    @inlinable get {
      index(id: id).map { storage[$0] }
    }
    set {
      guard let newValue else {
        remove(id: id)
        return
      }
      let newID = self.id(newValue)
      if newID == id {
        updateOrAppend(newValue)
      } else {
        reportChanged(id, to: newID, "Nothing is changed.")
      }
    }
    @inlinable _modify {
      guard let position = index(id: id) else {
        var element: Element?
        defer { if let element { self[id: id] = element } }
        yield &element
        return
      }
      // Taken out at the end, and put back there, so that nothing moves but two elements, and no
      // second copy of this one keeps what it holds from being changed in place.
      storage.swapAt(position, storage.count - 1)
      var element: Element? = storage.removeLast()
      defer {
        if let changed = element.take() {
          storage.append(changed)
          storage.swapAt(position, storage.count - 1)
          if self.id(storage[position]) != id {
            settle(at: position, from: id, mayChange: false)
          }
        } else {
          if position < storage.count {
            storage.append(storage.remove(at: position))
          }
          positions[id] = nil
          reindex(from: position)
        }
      }
      yield &element
    }
  }

  /// The ids, in the order of the elements; costs in proportion to their number.
  public var ids: [ID] {
    storage.map(id)
  }

  /// The position of the element with an id; costs the same whatever the number of elements.
  @inlinable
  public func index(id: ID) -> Int? {
    // The bound holds even if the id of an object among the elements changed unseen.
    positions[id].flatMap { $0 < storage.count ? $0 : nil }
  }

  /// Whether there is an element with an id; costs the same whatever the number of elements.
  @inlinable
  public func contains(id: ID) -> Bool {
    index(id: id) != nil
  }
}
