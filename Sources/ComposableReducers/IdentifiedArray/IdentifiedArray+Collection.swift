extension IdentifiedArray: RandomAccessCollection, MutableCollection {
  /// The position of the first element: 0.
  @inlinable public var startIndex: Int { 0 }

  /// The position after the last element.
  @inlinable public var endIndex: Int { storage.count }

  /// The element at a position.
  ///
  /// The cost of reading and changing doesn't depend on the number of elements. As with an array,
  /// the position must be in `indices`.
  ///
  /// If you change the id of an element, look it up by the new id from then on. If another element
  /// has that id, the array reports an issue, and an assignment changes nothing. A change in place
  /// restores the old id if `id:` was a writable key path; otherwise (also with `Identifiable`
  /// alone), it removes the changed element.
  @inlinable
  public subscript(position: Int) -> Element {
    get {
      storage[position]
    }
    set {
      let newID = id(newValue)
      if newID != storedIDs[position] {
        if find(newID) != nil {
          reportTaken(newID)
          return
        }
        replaceID(at: position, with: newID)
      }
      storage[position] = newValue
    }
    // Inlined, so that its frame isn't allocated.
    @inline(__always)
    _modify {
      defer {
        if id(storage[position]) != storedIDs[position] { settle(at: position, mayChange: true) }
      }
      yield &storage[position]
    }
  }

  /// The elements at a range of positions, to replace, sort, reverse or shuffle together.
  ///
  /// The slice is a slice of a plain array, and may repeat an id while you change it. Setting it
  /// costs time proportional to the number of all elements. If two elements of the array would have
  /// the same id, the array reports an issue and doesn't change.
  @inlinable
  public subscript(bounds: Range<Int>) -> ArraySlice<Element> {
    get {
      storage[bounds]
    }
    set {
      var new = storage
      new.replaceSubrange(bounds, with: newValue)
      replaceElements(with: new)
    }
  }

  /// Calls a closure with the elements as one buffer to read, for algorithms of the standard
  /// library.
  @inlinable
  public func withContiguousStorageIfAvailable<R>(
    _ body: (UnsafeBufferPointer<Element>) throws -> R
  ) rethrows -> R? {
    try unsafe storage.withContiguousStorageIfAvailable(body)
  }

  /// Calls a closure with the elements as one buffer to reorder, for algorithms such as `sort`.
  ///
  /// If two elements have the same id afterward, the array reports an issue and doesn't change.
  @inlinable
  public mutating func withContiguousMutableStorageIfAvailable<R>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> R
  ) rethrows -> R? {
    var new = storage
    defer { replaceElements(with: new) }
    return try unsafe new.withContiguousMutableStorageIfAvailable(body)
  }

  /// Creates an iterator over the elements.
  @inlinable
  public func makeIterator() -> IndexingIterator<[Element]> {
    storage.makeIterator()
  }
}
