/// Finds the position of an id by its hash; empty while the array is short enough to search.
///
/// Not a dictionary of ids, which would stop the program if their `==` or hash is inconsistent. An
/// entry is only a hint: the id at its position tells whether it is right.
@usableFromInline
struct Positions: Sendable {
  /// The position of each hash, plus `offset`.
  @usableFromInline var table: [Int: Int] = [:]

  /// Added to every position, so that removing the first element changes only this number.
  @usableFromInline var offset = 0

  /// Whether several ids had the same hash, so that only a search finds all of them.
  @usableFromInline var haveCollisions = false

  /// The largest count up to which an array is searched, which is faster than hashing.
  @inlinable static var longestSearch: Int { 16 }

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { table.isEmpty }

  /// The position that was set for a hash.
  @inlinable
  subscript(hash hash: Int) -> Int? {
    get {
      guard let position = table[hash] else { return nil }
      return position &- offset
    }
    set {
      table[hash] = newValue.map { $0 &+ offset }
    }
  }

  /// Adds an id, which may have the same hash as another one.
  @inlinable
  mutating func insert(hash: Int, at position: Int) {
    if table.updateValue(position &+ offset, forKey: hash) != nil { haveCollisions = true }
  }

  /// Changes the positions in a range by the same amount.
  @usableFromInline
  mutating func move(_ range: Range<Int>, by amount: Int) {
    let stored = range.lowerBound &+ offset..<range.upperBound &+ offset
    table = table.mapValues { stored ~= $0 ? $0 &+ amount : $0 }
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
    haveCollisions = false
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
    if !positions.isEmpty {
      let position = positions[hash: id.hashValue]
      if let position, storedIDs.indices ~= position, storedIDs[position] == id { return position }
      if !positions.haveCollisions { return nil }
    }
    return storedIDs.firstIndex(of: id)
  }

  /// Appends an element whose id is unused.
  @inlinable
  mutating func add(_ element: consuming Element, _ id: ID) {
    if !positions.isEmpty {
      positions.insert(hash: id.hashValue, at: storedIDs.count)
    }
    storedIDs.append(id)
    storage.append(element)
    if positions.isEmpty && storedIDs.count > Positions.longestSearch { rebuildPositions() }
  }

  /// Inserts an id at a position.
  @inlinable
  mutating func insertID(_ id: ID, at position: Int) {
    storedIDs.insert(id, at: position)
    if positions.isEmpty {
      if storedIDs.count > Positions.longestSearch { rebuildPositions() }
      return
    }
    if position < storedIDs.count / 2 {
      positions.moveAll(by: 1)
      updatePositions(0..<position, movedBy: -1)
    } else {
      updatePositions(position + 1..<storedIDs.count, movedBy: 1)
    }
    positions.insert(hash: id.hashValue, at: position)
  }

  /// Removes the id at a position.
  @inlinable
  mutating func removeID(at position: Int) {
    let id = storedIDs.remove(at: position)
    if positions.isEmpty { return }
    positions[hash: id.hashValue] = nil
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
      positions[hash: storedIDs[position].hashValue] = nil
      positions.insert(hash: new.hashValue, at: position)
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
    for position in range { positions[hash: storedIDs[position].hashValue] = position }
  }

  /// Sets the positions of all ids, if they are too many to search.
  @inlinable
  mutating func rebuildPositions() {
    positions.removeAll(keepingCapacity: true)
    if storedIDs.count <= Positions.longestSearch { return }
    positions.reserveCapacity(storedIDs.count)
    for (position, id) in storedIDs.enumerated() {
      positions.insert(hash: id.hashValue, at: position)
    }
  }
}
