/// Finding elements by their ids.
extension IdentifiedArray {
  /// Returns the position of the element with an id.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func index(id: ID) -> Int? {
    positions.isEmpty ? storedIDs.firstIndex(of: id) : positions[id].map { $0 - base }
  }

  /// The largest number of elements that are found by comparing their ids, which is faster than to hash
  /// one.
  @inlinable static var unindexedCount: Int { 16 }

  /// Appends an element whose id is unused.
  @inlinable
  mutating func add(_ element: consuming Element, _ id: ID) {
    storage.append(element)
    insertID(id, at: storedIDs.count)
  }

  /// Inserts an unused id at a position.
  @inlinable
  mutating func insertID(_ id: ID, at position: Int) {
    storedIDs.insert(id, at: position)
    if positions.isEmpty { return addPositions() }
    if position == 0 {
      base -= 1
    } else {
      updatePositions(position + 1..<storedIDs.count, movedBy: 1)
    }
    positions[id] = position + base
  }

  /// Removes the id at a position.
  @inlinable
  mutating func removeID(at position: Int) {
    let id = storedIDs.remove(at: position)
    if positions.isEmpty { return }
    positions[id] = nil
    if position == 0 {
      base += 1
    } else {
      updatePositions(position..<storedIDs.count, movedBy: -1)
    }
  }

  /// Changes the id at a position to an unused id.
  @inlinable
  mutating func replaceID(at position: Int, with new: ID) {
    if !positions.isEmpty {
      positions[storedIDs[position]] = nil
      positions[new] = position + base
    }
    storedIDs[position] = new
  }

  /// Updates the index after ids moved to a range, all by the same distance.
  @inlinable
  mutating func updatePositions(_ range: Range<Int>, movedBy distance: Int) {
    // Setting one position takes as long as visiting eight.
    if range.count <= storedIDs.count / 8 { return updatePositions(range) }
    let offset = base - distance
    let old = range.lowerBound + offset..<range.upperBound + offset
    Self.move(old, by: distance, in: &positions.values)
  }

  /// Changes the positions in a range, in place: a new dictionary would copy the ids.
  @inlinable
  static func move(
    _ range: Range<Int>, by distance: Int, in positions: inout [ID: Int].Values
  ) {
    var index = positions.startIndex
    while index != positions.endIndex {
      if range ~= positions[index] { positions[index] += distance }
      positions.formIndex(after: &index)
    }
  }

  /// Updates the index after ids moved within a range.
  @inlinable
  mutating func updatePositions(_ range: Range<Int>) {
    if positions.isEmpty { return }
    for position in range { positions[storedIDs[position]] = position + base }
  }

  /// Indexes all ids anew, if there are many.
  @inlinable
  mutating func rebuildPositions() {
    positions.removeAll(keepingCapacity: true)
    addPositions()
  }

  /// Indexes all ids, of which none is indexed, if there are many.
  @inlinable
  mutating func addPositions() {
    base = 0
    if storedIDs.count <= Self.unindexedCount { return }
    positions.reserveCapacity(storedIDs.count)
    for (position, id) in storedIDs.enumerated() { positions[id] = position }
  }
}
