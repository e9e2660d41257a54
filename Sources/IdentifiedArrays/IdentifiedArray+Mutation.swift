/// Adding elements.
extension IdentifiedArray {
  /// Appends an element, unless there is one with its id.
  ///
  /// To replace that element instead, use ``updateOrAppend(_:)``.
  ///
  /// - Returns: Whether it was appended, and the position of the element that has the id now.
  /// - Complexity: O(1), averaged over many.
  @inlinable
  @discardableResult
  public mutating func append(_ element: consuming Element) -> (inserted: Bool, index: Int) {
    let id = id(element)
    if let present = index(id: id) { return (false, present) }
    add(element, id)
    return (true, storage.count - 1)
  }

  /// Appends elements, one after the other, except those whose id is taken.
  @inlinable
  public mutating func append(contentsOf new: some Sequence<Element>) {
    for element in new { append(element) }
  }

  /// Appends elements, like ``append(contentsOf:)``.
  @inlinable
  public static func += (array: inout IdentifiedArray, new: some Sequence<Element>) {
    array.append(contentsOf: new)
  }

  /// Inserts an element at a position, unless there is one with its id.
  ///
  /// - Returns: Whether it was inserted, and the position of the element that has the id now.
  /// - Complexity: O(*n*) in the number of elements after it.
  @inlinable
  @discardableResult
  public mutating func insert(
    _ element: consuming Element, at position: Int
  ) -> (inserted: Bool, index: Int) {
    let id = id(element)
    if let present = index(id: id) { return (false, present) }
    storage.insert(element, at: position)
    insertID(id, at: position)
    return (true, position)
  }

  /// Reserves room for a number of elements, so that adding them allocates nothing.
  @inlinable
  public mutating func reserveCapacity(_ minimumCapacity: Int) {
    storage.reserveCapacity(minimumCapacity)
    storedIDs.reserveCapacity(minimumCapacity)
    if minimumCapacity > Self.unindexedCount { positions.reserveCapacity(minimumCapacity) }
  }
}

/// Removing elements.
extension IdentifiedArray {
  /// Removes the element at a position.
  ///
  /// - Complexity: O(*n*) in the number of elements after it.
  @inlinable
  @discardableResult
  public mutating func remove(at position: Int) -> Element {
    removeID(at: position)
    return storage.remove(at: position)
  }

  /// Removes the first element.
  ///
  /// The array must not be empty.
  ///
  /// - Complexity: O(*n*), as in an array.
  @inlinable
  @discardableResult
  public mutating func removeFirst() -> Element {
    remove(at: 0)
  }

  /// Removes the last element.
  ///
  /// The array must not be empty.
  ///
  /// - Complexity: O(1).
  @inlinable
  @discardableResult
  public mutating func removeLast() -> Element {
    remove(at: storage.count - 1)
  }

  /// Removes the last element; `nil` if there is none.
  @inlinable
  public mutating func popLast() -> Element? {
    storage.isEmpty ? nil : removeLast()
  }

  /// Removes the first elements.
  ///
  /// - Complexity: O(*n*).
  @inlinable
  public mutating func removeFirst(_ count: Int) {
    removeSubrange(..<count)
  }

  /// Removes the last elements.
  ///
  /// - Complexity: O(*n*).
  @inlinable
  public mutating func removeLast(_ count: Int) {
    removeSubrange((storage.count - count)...)
  }

  /// Removes the elements in a range of positions.
  ///
  /// - Complexity: O(*n*).
  @inlinable
  public mutating func removeSubrange(_ range: some RangeExpression<Int>) {
    let range = range.relative(to: storage)
    storage.removeSubrange(range)
    storedIDs.removeSubrange(range)
    rebuildPositions()
  }

  /// Removes the elements at several positions, for a list's `onDelete`.
  ///
  /// - Complexity: O(*n*).
  ///
  /// ```swift
  /// .onDelete { rows.remove(atOffsets: $0) }
  /// ```
  ///
  /// - Parameter offsets: The positions, such as an `IndexSet`, in any order. The array reports an
  ///   issue for a position without an element.
  @inlinable
  public mutating func remove(atOffsets offsets: some Sequence<Int>) {
    let isRemoved = marks(at: offsets)
    reorder(storage.indices.filter { !isRemoved[$0] })
  }

  /// Removes every element that matches a condition.
  ///
  /// If the condition throws, the array doesn't change.
  ///
  /// - Complexity: O(*n*).
  @inlinable
  public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    let kept = try storage.indices.filter { try !shouldBeRemoved(storage[$0]) }
    if kept.count < storage.count { reorder(kept) }
  }

  /// Removes every element.
  @inlinable
  public mutating func removeAll(keepingCapacity: Bool = false) {
    storage.removeAll(keepingCapacity: keepingCapacity)
    storedIDs.removeAll(keepingCapacity: keepingCapacity)
    positions.removeAll(keepingCapacity: keepingCapacity)
  }

  /// Returns an array of the elements that match a condition, in the same order.
  @inlinable
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> IdentifiedArray {
    var filtered = self
    try filtered.removeAll { try !isIncluded($0) }
    return filtered
  }
}

/// Moving elements to other positions.
extension IdentifiedArray {
  /// Exchanges two elements.
  ///
  /// - Complexity: O(1).
  @inlinable
  public mutating func swapAt(_ i: Int, _ j: Int) {
    storage.swapAt(i, j)
    storedIDs.swapAt(i, j)
    updatePositions(i..<i + 1)
    updatePositions(j..<j + 1)
  }

  /// Moves an element to another position; the elements between make room.
  ///
  /// - Complexity: O(*n*) in the number of elements after the first of the two positions.
  ///
  /// - Parameters:
  ///   - source: The element's current position.
  ///   - destination: Its new position.
  @inlinable
  public mutating func move(from source: Int, to destination: Int) {
    storage.insert(storage.remove(at: source), at: destination)
    storedIDs.insert(storedIDs.remove(at: source), at: destination)
    updatePositions(Swift.min(source, destination)..<Swift.max(source, destination) + 1)
  }

  /// Moves the elements at several positions together, for a list's `onMove`.
  ///
  /// - Complexity: O(*n*).
  ///
  /// ```swift
  /// .onMove { rows.move(fromOffsets: $0, toOffset: $1) }
  /// ```
  ///
  /// - Parameters:
  ///   - offsets: The positions, such as an `IndexSet`. The elements keep their order.
  ///   - destination: The position, before the move, of the element to move them in front of. To
  ///     move them to the end, pass the number of elements. For any other position, the array
  ///     reports an issue and doesn't change.
  @inlinable
  public mutating func move(fromOffsets offsets: some Sequence<Int>, toOffset destination: Int) {
    guard 0...storage.count ~= destination else { return reportOutOfRange(destination) }
    let isMoved = marks(at: offsets)
    reorder(
      (0..<destination).filter { !isMoved[$0] } + storage.indices.filter { isMoved[$0] }
        + (destination..<storage.count).filter { !isMoved[$0] })
  }

  /// Returns whether each position is one of several, and reports those that don't exist.
  @inlinable
  func marks(at offsets: some Sequence<Int>) -> [Bool] {
    var marks = [Bool](repeating: false, count: storage.count)
    for offset in offsets {
      if marks.indices ~= offset { marks[offset] = true } else { reportOutOfRange(offset) }
    }
    return marks
  }

  /// Reorders elements, or leaves some out.
  ///
  /// - Parameter order: The old position of each remaining element.
  @inlinable
  mutating func reorder(_ order: [Int]) {
    storage = order.map { storage[$0] }
    storedIDs = order.map { storedIDs[$0] }
    rebuildPositions()
  }

  /// Replaces all elements, unless two have the same id, which it reports.
  @inlinable
  mutating func replaceElements(with new: [Element]) {
    // Sound: see `readID`.
    var replaced = unsafe IdentifiedArray(reading: readID)
    if let duplicate = replaced.fill(new).first {
      reportTaken(duplicate.id)
    } else {
      self = replaced
    }
  }
}

#if canImport(SwiftUI)
  public import struct Foundation.IndexSet

  extension IdentifiedArray {
    /// Moves the elements at several positions together, for a list's `onMove`.
    ///
    /// SwiftUI declares a function of this name for every mutable collection, which would move one
    /// element at a time. A file that imports both calls this one.
    @inlinable
    public mutating func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
      move(fromOffsets: Array(offsets), toOffset: destination)
    }
  }
#endif
