/// Looks up ids, and updates the index after changes.
///
/// Hashing and `==` of ids, and the closures that return ids, are user code and may be
/// inconsistent. Then lookups return nothing or another element, but no position is ever out of
/// bounds.
extension IdentifiedArray {
  @inlinable
  func id(_ element: Element) -> ID {
    unsafe readID(element)
  }

  /// Returns the position of the element with an id.
  @inlinable
  func find(_ id: ID) -> Int? {
    if table.isEmpty { return storedIDs.firstIndex(of: id) }
    return find(id, hash: IDTable.hash(of: id))
  }

  @inlinable
  func find(_ id: ID, hash: UInt64) -> Int? {
    let mask = table.mask
    var bucket = Int(truncatingIfNeeded: hash) & mask
    var slot = table.slots[bucket]
    while slot != 0 {
      if slot &>> 32 == hash {
        let position = table.position(of: slot)
        if storedIDs[position] == id { return position }
      }
      bucket = (bucket &+ 1) & mask
      slot = table.slots[bucket]
    }
    return nil
  }

  /// Appends an element whose id is unused; `hash` is 0 while there is no table.
  @inlinable
  mutating func add(_ element: consuming Element, id: ID, hash: UInt64) {
    let position = storage.count
    storedIDs.append(id)
    storage.append(element)
    if !table.isEmpty {
      table.makeRoom(for: position &+ 1)
      table.insert(hash: hash, position: position)
    } else if position >= IDTable.longestSearch {
      buildTable()
    }
  }

  /// Creates the table of ids that are known to differ.
  @inlinable
  mutating func buildTable() {
    table = IDTable(roomFor: storedIDs.count)
    for (position, id) in storedIDs.enumerated() {
      table.insert(hash: IDTable.hash(of: id), position: position)
    }
  }

  /// Fills an empty array with elements, keeping the first for each id.
  @inlinable
  mutating func fill(_ elements: [Element], _ fileID: StaticString, _ line: UInt) {
    if !replaceElements(with: elements, ids: elements.map(id)) {
      reportDuplicates(in: elements, fileID, line)
      append(contentsOf: elements)
    }
  }

  /// Adds elements, combining each with the element that has its id.
  @inlinable
  mutating func combine(
    _ elements: some Sequence<Element>,
    _ combine: (_ first: Element, _ next: Element) throws -> Element,
    _ fileID: StaticString, _ line: UInt
  ) rethrows {
    for element in elements {
      let (inserted, position) = append(element)
      if inserted { continue }
      let combined = try combine(storage[position], element)
      if id(combined) == storedIDs[position] {
        storage[position] = combined
      } else {
        reportCombined(id(element), into: id(combined), fileID, line)
      }
    }
  }

  /// Replaces all elements, unless two have the same id, which it reports.
  @inlinable
  mutating func replaceElements(with new: [Element]) {
    let ids = new.map(id)
    if ids == storedIDs {
      storage = new
    } else if !replaceElements(with: new, ids: ids) {
      reportTaken(in: new)
    }
  }

  /// Replaces all elements and ids, unless two ids are the same.
  @inlinable
  mutating func replaceElements(with new: [Element], ids: [ID]) -> Bool {
    guard let table = Self.table(of: ids) else { return false }
    storage = new
    storedIDs = ids
    self.table = table
    return true
  }

  /// Returns a table of ids; `nil` if two ids are the same.
  @inlinable
  static func table(of ids: [ID]) -> IDTable? {
    if ids.count <= IDTable.longestSearch {
      for position in ids.indices {
        for other in 0..<position where ids[other] == ids[position] { return nil }
      }
      return IDTable()
    }
    var table = IDTable(roomFor: ids.count)
    let mask = table.mask
    for (position, id) in ids.enumerated() {
      let hash = IDTable.hash(of: id)
      var bucket = Int(truncatingIfNeeded: hash) & mask
      var slot = table.slots[bucket]
      while slot != 0 {
        if slot &>> 32 == hash && ids[table.position(of: slot)] == id { return nil }
        bucket = (bucket &+ 1) & mask
        slot = table.slots[bucket]
      }
      table.slots[bucket] = table.slot(hash: hash, position: position)
    }
    return table
  }

  /// Returns the bucket of a position.
  @inlinable
  func bucket(of position: Int) -> Int {
    let mask = table.mask
    var bucket = Int(truncatingIfNeeded: IDTable.hash(of: storedIDs[position])) & mask
    var slot = table.slots[bucket]
    while slot != 0 {
      if table.position(of: slot) == position { return bucket }
      bucket = (bucket &+ 1) & mask
      slot = table.slots[bucket]
    }
    // The id's hash has changed.
    return table.bucket(of: position)
  }

  /// Removes the id at a position; the ids behind it move up.
  @inlinable
  mutating func removeID(at position: Int) {
    if !table.isEmpty {
      let last = storedIDs.count &- 1
      table.removeSlot(bucket(of: position))
      if table.areFew(last &- position) {
        for later in position..<last { table.slots[bucket(of: later &+ 1)] &-= 1 }
      } else if table.areFew(position) {
        for earlier in (0..<position).reversed() { table.slots[bucket(of: earlier)] &+= 1 }
        table.lowerAll()
      } else {
        table.lower(behind: position)
      }
      table.shrink(to: last)
    }
    storedIDs.remove(at: position)
  }

  /// Inserts an id at a position; that position's id and the ids behind it move down.
  @inlinable
  mutating func insertID(_ id: ID, hash: UInt64, at position: Int) {
    table.makeRoom(for: storedIDs.count &+ 1)
    if table.areFew(storedIDs.count &- position) {
      for later in (position..<storedIDs.count).reversed() {
        table.slots[bucket(of: later)] &+= 1
      }
    } else if table.areFew(position) {
      for earlier in 0..<position { table.slots[bucket(of: earlier)] &-= 1 }
      table.raiseAll()
    } else {
      table.raise(from: position)
    }
    table.insert(hash: hash, position: position)
    storedIDs.insert(id, at: position)
  }

  /// Changes the id of the element at a position to an unused id.
  @inlinable
  mutating func replaceID(at position: Int, with new: ID) {
    if !table.isEmpty {
      let hash = IDTable.hash(of: new)
      table.removeSlot(bucket(of: position))
      table.insert(hash: hash, position: position)
    }
    storedIDs[position] = new
  }

  /// Reorders elements and ids, or leaves some out.
  ///
  /// - Parameter order: The old position of each remaining element.
  @inlinable
  mutating func reorder(_ order: [Int]) {
    if !table.isEmpty {
      var new = [Int](repeating: -1, count: storage.count)
      for (position, old) in order.enumerated() { new[old] = position }
      table.renumber(to: new, count: order.count)
      table.shrink(to: order.count)
    }
    storage = order.map { storage[$0] }
    storedIDs = order.map { storedIDs[$0] }
  }

  /// Updates the index after an element was changed in place and its id changed.
  ///
  /// - Parameter mayChange: Whether the element may keep its new id if it is unused.
  @usableFromInline
  mutating func settle(at position: Int, mayChange: Bool) {
    let old = storedIDs[position]
    let new = id(storage[position])
    let isFree = find(new) == nil
    if !(mayChange && isFree), let writable = writableID as? WritableKeyPath<Element, ID> {
      storage[position][keyPath: writable] = old
      reportChanged(old, to: new, "The old id is restored; other changes are kept.")
    } else if isFree {
      replaceID(at: position, with: new)
      if !mayChange { reportChanged(old, to: new, "Look it up by the new id.") }
    } else {
      remove(at: position)
      reportChanged(old, to: new, "Another element has that id, so the changed one is removed.")
    }
  }
}
