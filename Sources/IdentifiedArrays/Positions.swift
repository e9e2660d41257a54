/// Finds the position of an id; empty while the array is short enough to search.
@usableFromInline
struct Positions<ID: Hashable & Sendable>: Sendable {
  /// The position of each id, plus `offset`.
  @usableFromInline var table: [ID: Int] = [:]

  /// Added to every position, so that removing the first element changes only this number.
  @usableFromInline var offset = 0

  /// The largest count up to which an array is searched, which is faster than hashing.
  @inlinable static var longestSearch: Int { 16 }

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { table.isEmpty }

  @inlinable
  subscript(id: ID) -> Int? {
    get {
      guard let position = table[id] else { return nil }
      return position &- offset
    }
    set {
      table[id] = newValue.map { $0 &+ offset }
    }
  }

  /// Changes the positions in a range by the same amount.
  @inlinable
  mutating func move(_ range: Range<Int>, by amount: Int) {
    let stored = range.lowerBound &+ offset..<range.upperBound &+ offset
    Self.move(stored, by: amount, in: &table.values)
  }

  /// In place, because a new dictionary would copy the ids.
  @inlinable
  static func move(
    _ range: Range<Int>, by amount: Int, in values: inout [ID: Int].Values
  ) {
    var index = values.startIndex
    while index != values.endIndex {
      if range ~= values[index] { values[index] &+= amount }
      values.formIndex(after: &index)
    }
  }

  /// Changes all positions by the same amount, at no cost.
  @inlinable
  mutating func moveAll(by amount: Int) {
    offset &-= amount
  }

  @inlinable
  mutating func removeAll(keepingCapacity: Bool) {
    table.removeAll(keepingCapacity: keepingCapacity)
    offset = 0
  }

  @inlinable
  mutating func reserveCapacity(_ minimumCapacity: Int) {
    table.reserveCapacity(minimumCapacity)
  }
}

/// Keeping the index in step with the ids.
extension IdentifiedArray {
  /// Returns the position of the element with an id, at constant cost.
  @inlinable
  public func index(id: ID) -> Int? {
    positions.isEmpty ? storedIDs.firstIndex(of: id) : positions[id]
  }

  /// Appends an element whose id is unused.
  @inlinable
  mutating func add(_ element: consuming Element, _ id: ID) {
    if !positions.isEmpty { positions[id] = storedIDs.count }
    storedIDs.append(id)
    storage.append(element)
    if positions.isEmpty && storedIDs.count > Positions<ID>.longestSearch { rebuildPositions() }
  }

  /// Inserts an id at a position.
  @inlinable
  mutating func insertID(_ id: ID, at position: Int) {
    storedIDs.insert(id, at: position)
    if positions.isEmpty {
      if storedIDs.count > Positions<ID>.longestSearch { rebuildPositions() }
      return
    }
    if position < storedIDs.count / 2 {
      positions.moveAll(by: 1)
      updatePositions(0..<position, movedBy: -1)
    } else {
      updatePositions(position + 1..<storedIDs.count, movedBy: 1)
    }
    positions[id] = position
  }

  /// Removes the id at a position.
  @inlinable
  mutating func removeID(at position: Int) {
    let id = storedIDs.remove(at: position)
    if positions.isEmpty { return }
    positions[id] = nil
    if position < storedIDs.count / 2 {
      positions.moveAll(by: -1)
      updatePositions(0..<position, movedBy: 1)
    } else {
      updatePositions(position..<storedIDs.count, movedBy: -1)
    }
  }

  /// Changes the id at a position to an unused id.
  @inlinable
  mutating func replaceID(at position: Int, with new: ID) {
    if !positions.isEmpty {
      positions[storedIDs[position]] = nil
      positions[new] = position
    }
    storedIDs[position] = new
  }

  /// Updates the index after ids moved to a range, all by the same distance.
  @inlinable
  mutating func updatePositions(_ range: Range<Int>, movedBy distance: Int) {
    // Setting one position takes as long as visiting eight.
    if range.count > storedIDs.count / 8 {
      positions.move(range.lowerBound - distance..<range.upperBound - distance, by: distance)
    } else {
      updatePositions(range)
    }
  }

  /// Updates the index after ids moved within a range.
  @inlinable
  mutating func updatePositions(_ range: Range<Int>) {
    if positions.isEmpty { return }
    for position in range { positions[storedIDs[position]] = position }
  }

  /// Sets the positions of all ids, if they are too many to search.
  @inlinable
  mutating func rebuildPositions() {
    positions.removeAll(keepingCapacity: true)
    if storedIDs.count <= Positions<ID>.longestSearch { return }
    positions.reserveCapacity(storedIDs.count)
    for (position, id) in storedIDs.enumerated() { positions[id] = position }
  }
}
