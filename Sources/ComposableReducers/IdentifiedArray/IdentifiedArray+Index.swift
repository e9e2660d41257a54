internal import ComposableDependencies

extension IdentifiedArray {
  /// Fills an empty array with elements, or with the first of each id.
  mutating func fill(_ elements: [Element], _ fileID: StaticString, _ line: UInt) {
    if let positions = positions(of: elements) {
      storage = elements
      self.positions = positions
    } else {
      reportDuplicates(in: elements, fileID, line)
      append(contentsOf: elements)
    }
  }

  /// Adds elements, combining each with the one that has its id.
  mutating func combine(
    _ elements: some Sequence<Element>,
    _ combine: (_ first: Element, _ next: Element) throws -> Element,
    _ fileID: StaticString, _ line: UInt
  ) rethrows {
    for element in elements {
      let (inserted, position) = append(element)
      if inserted { continue }
      let combined = try combine(storage[position], element)
      if id(combined) == id(element) {
        storage[position] = combined
      } else {
        reportCombined(id(element), into: id(combined), fileID, line)
      }
    }
  }

  /// Replaces all elements at once; reports an issue and changes nothing if two have the same id.
  mutating func replaceElements(with new: [Element]) {
    if let positions = positions(of: new) {
      storage = new
      self.positions = positions
    } else if let duplicate = duplicates(in: new).first {
      reportTaken(duplicate.id)
    }
  }

  /// The position of each element, or nothing where two have the same id.
  func positions(of elements: [Element]) -> [ID: Int]? {
    var positions = [ID: Int](minimumCapacity: elements.count)
    for (position, element) in elements.enumerated() {
      let previous = positions.updateValue(position, forKey: id(element))
      if previous != nil { return nil }
    }
    return positions
  }

  /// Finds the elements from a position on again, after they were moved.
  @usableFromInline
  mutating func reindex(from start: Int, to end: Int? = nil) {
    for position in start..<(end ?? storage.count) {
      positions[id(storage[position])] = position
    }
  }

  /// Removes the element at a position, which is found by an id.
  @discardableResult
  mutating func remove(at position: Int, id: ID) -> Element {
    positions[id] = nil
    let removed = storage.remove(at: position)
    reindex(from: position)
    return removed
  }

  /// Makes the index right again after an element was changed in place and got another id.
  ///
  /// - Parameter mayChange: Whether the element may take the other id, if that is free.
  @usableFromInline
  mutating func settle(at position: Int, from old: ID, mayChange: Bool) {
    let new = id(storage[position])
    let isFree = positions[new] == nil
    if !(mayChange && isFree), let writable = writableID as? WritableKeyPath<Element, ID> {
      storage[position][keyPath: writable] = old
      reportChanged(old, to: new, "The id is put back, other changes are kept.")
    } else if isFree {
      positions[old] = nil
      positions[new] = position
      if !mayChange { reportChanged(old, to: new, "It is found by the new id.") }
    } else {
      remove(at: position, id: old)
      reportChanged(old, to: new, "Another element has that id; the changed one is removed.")
    }
  }
}
