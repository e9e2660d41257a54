/// Using elements by their ids.
extension IdentifiedArray {
  /// The element with an id.
  ///
  /// ```swift
  /// array[id: 3]?.count += 1          // changed in place, if it exists
  /// array[id: 3] = Counter(id: 3)     // replaced, or appended
  /// array[id: 3] = nil                // removed
  /// ```
  ///
  /// Assigning an element with another id reports an issue and changes nothing. If you change an
  /// element's id in place, the array reports an issue and keeps finding it by its old id.
  ///
  /// - Complexity: O(1); to remove, O(*n*) in the number of elements after it.
  @inlinable
  public subscript(id id: ID) -> Element? {
    get {
      guard let position = index(id: id) else { return nil }
      return storage[position]
    }
    set {
      guard let newValue else {
        remove(id: id)
        return
      }
      let newID = self.id(newValue)
      if newID != id {
        reportChanged(id, to: newID, "The array ignores the change.")
      } else if let position = index(id: id) {
        _ = replace(at: position, by: newValue)
      } else {
        add(newValue, id)
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
    guard let position = index(id: id) else { return nil }
    stored.swapAt(position, stored.count - 1)
    element = stored.removeLast()
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
      stored.append(changed)
      stored.swapAt(position, stored.count - 1)
      didChange(at: position)
    } else {
      if position < stored.count { stored.append(stored.remove(at: position)) }
      noteChange(at: nil)
      removeID(at: position)
    }
  }

  /// Notes that an element was changed in place, and reports it if its id was.
  @inlinable
  mutating func didChange(at position: Int) {
    // Not `id(_:)`: calling it would copy the array.
    // Sound: see `readID`.
    let readID = unsafe readID
    let id = readID(stored[position])
    if id != storedIDs[position] {
      reportChanged(storedIDs[position], to: id, "The array keeps finding it by its old id.")
    }
    noteChange(at: position)
  }

  /// Returns whether there is an element with an id.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func contains(id: ID) -> Bool {
    index(id: id) != nil
  }

  /// Returns whether there is an element with the id of another one.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func contains(_ element: Element) -> Bool {
    contains(id: id(element))
  }

  /// Replaces the element that has the same id, if there is one.
  ///
  /// - Returns: The replaced element; `nil` if there is none, and nothing changed.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public mutating func update(_ element: Element) -> Element? {
    index(id: id(element)).map { replace(at: $0, by: element) }
  }

  /// Replaces the element at a position by one with the same id.
  ///
  /// If the id is another element's, the array reports an issue and doesn't change.
  ///
  /// - Returns: The replaced element.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public mutating func update(_ element: Element, at position: Int) -> Element {
    let replaced = storage[position]
    self[position] = element
    return replaced
  }

  /// Replaces the element that has the same id, or appends the element.
  ///
  /// - Returns: The replaced element; `nil` if there was none.
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    let id = id(element)
    if let position = index(id: id) { return replace(at: position, by: element) }
    add(element, id)
    return nil
  }

  /// Replaces the element that has the same id, or inserts the element at a position.
  ///
  /// - Returns: The replaced element, if there was one, and the position of the new one.
  /// - Complexity: O(1) to replace; O(*n*) in the number of elements after it to insert.
  @inlinable
  @discardableResult
  public mutating func updateOrInsert(
    _ element: Element, at position: Int
  ) -> (originalMember: Element?, index: Int) {
    let (inserted, index) = insert(element, at: position)
    return (inserted ? nil : replace(at: index, by: element), index)
  }

  @inlinable
  mutating func replace(at position: Int, by element: consuming Element) -> Element {
    swap(&stored[position], &element)
    noteChange(at: position)
    return element
  }

  /// Removes the element with the id of another one, if it exists.
  @inlinable
  @discardableResult
  public mutating func remove(_ element: Element) -> Element? {
    remove(id: id(element))
  }

  /// Removes the element with an id, if it exists.
  ///
  /// - Complexity: O(*n*) in the number of elements after it.
  @inlinable
  @discardableResult
  public mutating func remove(id: ID) -> Element? {
    index(id: id).map { remove(at: $0) }
  }
}
