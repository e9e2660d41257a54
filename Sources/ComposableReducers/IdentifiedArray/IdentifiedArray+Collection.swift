extension IdentifiedArray: RandomAccessCollection, MutableCollection {
  /// The position of the first element: 0.
  @inlinable public var startIndex: Int { 0 }

  /// The position after the last element.
  @inlinable public var endIndex: Int { storage.count }

  /// The element at a position.
  ///
  /// Reading and changing cost the same whatever the number of elements. As in an array, the
  /// position has to be one of `indices`.
  ///
  /// An element may be given another id: it is found by the new one from then on. If another
  /// element has that id, an issue is reported; an assignment then changes nothing. A change in
  /// place gets the old id back where `id:` was a writable key path; where it was not
  /// (`Identifiable` alone gives none), the changed element is removed.
  public subscript(position: Int) -> Element {
    @inlinable get {
      storage[position]
    }
    set {
      let oldID = id(storage[position])
      let newID = id(newValue)
      if newID != oldID {
        if positions[newID] != nil {
          reportTaken(newID)
          return
        }
        positions[oldID] = nil
        positions[newID] = position
      }
      storage[position] = newValue
    }
    @inlinable _modify {
      let oldID = id(storage[position])
      defer {
        if id(storage[position]) != oldID { settle(at: position, from: oldID, mayChange: true) }
      }
      yield &storage[position]
    }
  }

  /// The elements at some positions, which can be replaced or sorted together.
  ///
  /// Setting costs in proportion to the number of all elements. If two elements would have the same
  /// id, an issue is reported and nothing changes.
  public subscript(bounds: Range<Int>) -> Slice<IdentifiedArray> {
    get {
      _ = storage[bounds]  // Traps outside the bounds, as an array does.
      return Slice(base: self, bounds: bounds)
    }
    set {
      var new = storage
      new.replaceSubrange(bounds, with: newValue)
      replaceElements(with: new)
    }
  }

  /// Exchanges two elements; costs the same whatever the number of elements.
  public mutating func swapAt(_ i: Int, _ j: Int) {
    storage.swapAt(i, j)
    positions[id(storage[i])] = i
    positions[id(storage[j])] = j
  }

  /// Gives the elements as one buffer to read, for algorithms of the standard library.
  @inlinable
  public func withContiguousStorageIfAvailable<R>(
    _ body: (UnsafeBufferPointer<Element>) throws -> R
  ) rethrows -> R? {
    try unsafe storage.withContiguousStorageIfAvailable(body)
  }

  /// Gives the elements as one buffer to reorder, for algorithms of the standard library, as `sort`.
  ///
  /// If two elements have the same id afterwards, an issue is reported and nothing changes.
  public mutating func withContiguousMutableStorageIfAvailable<R>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> R
  ) rethrows -> R? {
    var new = storage
    defer { replaceElements(with: new) }
    return try unsafe new.withContiguousMutableStorageIfAvailable(body)
  }

  /// An iterator over the elements.
  @inlinable
  public func makeIterator() -> IndexingIterator<[Element]> {
    storage.makeIterator()
  }
}
