extension IdentifiedArray: RandomAccessCollection, MutableCollection {
  /// The position of the first element: 0.
  @inlinable public var startIndex: Int { 0 }

  /// The position after the last element.
  @inlinable public var endIndex: Int { storage.count }

  /// Returns an iterator of the elements, as fast as an array's.
  @inlinable
  public func makeIterator() -> IndexingIterator<[Element]> { storage.makeIterator() }

  /// The element at a position.
  ///
  /// As with an array, the position must be in `indices`.
  ///
  /// You may assign an element with another id, unless another element has that id: then the array
  /// reports an issue and doesn't change. If you change an element's id in place, the array reports
  /// an issue and keeps finding it by its old id.
  ///
  /// - Complexity: O(1).
  @inlinable
  public subscript(position: Int) -> Element {
    get {
      storage[position]
    }
    set {
      let newID = id(newValue)
      if newID != storedIDs[position] {
        if index(id: newID) != nil { return reportTaken(newID) }
        replaceID(at: position, with: newID)
        storage[position] = newValue
      } else {
        _ = replace(at: position, by: newValue)
      }
    }
    // Inlined, so that its frame isn't allocated.
    @inline(__always)
    _modify {
      defer { didChange(at: position) }
      yield &stored[position]
    }
  }

  /// The elements at a range of positions, to replace, sort, reverse or shuffle together.
  ///
  /// The slice is one of a plain array, and may repeat an id while you change it. If two elements of the
  /// array would have the same id, the array reports an issue and doesn't change.
  ///
  /// - Complexity: O(1); to set it, O(*n*).
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
    // Sound: the array has the same rule for the buffer, which `body` must not keep.
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
    // Sound: as above, and the buffer is a copy, whose ids are checked afterward.
    return try unsafe new.withContiguousMutableStorageIfAvailable(body)
  }
}

extension IdentifiedArray: Equatable where Element: Equatable {
  /// Whether two arrays have equal elements in the same order.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.changes === rhs.changes || lhs.storage == rhs.storage
  }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  /// Hashes the elements, in order.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(elements)
  }
}

extension IdentifiedArray: CustomStringConvertible {
  /// The description of an array with the same elements.
  public var description: String { elements.description }
}

extension IdentifiedArray: CustomReflectable {
  /// A mirror with the elements as its children, like an array's.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: elements, displayStyle: .collection)
  }
}

extension IdentifiedArray: Encodable where Element: Encodable {
  /// Encodes the elements, as an array.
  public func encode(to encoder: any Encoder) throws {
    try elements.encode(to: encoder)
  }
}

extension IdentifiedArray: Decodable
where Element: Decodable & Identifiable, ID == Element.ID {
  /// Decodes an array of elements.
  ///
  /// - Throws: Errors of decoding the elements. If several elements have the same id,
  ///   `DecodingError.dataCorrupted`, which names the id and its positions.
  public init(from decoder: any Decoder) throws {
    self.init()
    if let (id, positions) = fill(try [Element](from: decoder)).first {
      let problem = "\(positions.count) elements have the same id, \(id), at positions "
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: problem + Self.list(positions)
        )
      )
    }
  }
}
