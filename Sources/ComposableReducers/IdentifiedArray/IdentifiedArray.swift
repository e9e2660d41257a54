/// An array whose elements have unique ids and can be looked up by them.
///
/// ```swift
/// var counters: IdentifiedArrayOf<Counter> = [Counter(id: 1), Counter(id: 2)]
/// counters[id: 2]?.count += 1
/// counters[0].count        // by position
/// ```
///
/// Equality, hashing and coding are those of the elements; the way that an id is read from an
/// element has no influence.
///
/// **An element keeps its id.** If a mutation would give two elements the same id, or put an
/// element under another element's id, the array reports an issue and doesn't change. If you change
/// an element's id *in place* (`array[0].id = 7`), the old element no longer exists when the array
/// sees the change; the two subscripts describe what happens then.
///
/// If the elements are objects, their ids must not change, because the array doesn't notice.
///
/// Lookup, appending, changing an element, and `ids` have a constant cost. Inserting and removing
/// elsewhere moves the elements behind, as in an array. Changing an element in place copies no
/// element, unless the array itself is shared. In addition to the elements, the array stores their
/// ids, and about 11 to 21 bytes per element for lookups; up to 16 elements are searched instead.
///
/// The array reads, hashes and compares ids in no particular number or order. If ids are
/// inconsistent, lookups may return nothing or another element, but nothing worse happens.
public struct IdentifiedArray<ID: Hashable & Sendable, Element> {
  /// The elements, in order; returned at no cost.
  @inlinable public var elements: [Element] { storage }

  @usableFromInline var storage: [Element]

  /// The id of each element, at the element's position.
  @usableFromInline var storedIDs: [ID]

  /// An index from ids to positions, which isn't part of the value.
  @usableFromInline var table = IDTable()

  // Sound: it reads a key path that is Sendable, or a conformance of Element. An array is Sendable
  // only if Element is, and then no conformance of Element is isolated.
  @usableFromInline nonisolated(unsafe) let readID: (Element) -> ID

  /// The key path that can restore an id, if there is one.
  @usableFromInline let writableID: (any KeyPath<Element, ID> & Sendable)?

  /// Creates an empty array whose elements have their id at a key path.
  @inlinable
  @inline(__always)
  public init(id: any KeyPath<Element, ID> & Sendable) {
    let writableID = id is WritableKeyPath<Element, ID> ? id : nil
    if let offset = MemoryLayout<Element>.offset(of: id) {
      self.init(reading: { Self.id(at: offset, in: $0) }, writableID: writableID)
    } else {
      self.init(reading: { $0[keyPath: id] }, writableID: writableID)
    }
  }

  /// Reads an id stored in the element, which takes a tenth of the time of a key path.
  @inlinable
  static func id(at offset: Int, in element: Element) -> ID {
    // Sound: `MemoryLayout.offset(of:)` guarantees it for the key path that it was called with.
    unsafe withUnsafeBytes(of: element) { bytes in
      unsafe bytes.baseAddress!.advanced(by: offset).assumingMemoryBound(to: ID.self).pointee
    }
  }

  @inlinable
  @inline(__always)
  init(reading id: @escaping (Element) -> ID, writableID: (any KeyPath<Element, ID> & Sendable)?) {
    storage = []
    storedIDs = []
    unsafe self.readID = id
    self.writableID = writableID
  }

  /// Creates an array of elements with different ids.
  ///
  /// If several elements have the same id, the array keeps the first, and reports an issue that
  /// names the id and the positions. If you expect that, use
  /// ``init(_:id:uniquingIDsWith:fileID:line:)``.
  @inlinable
  @inline(__always)
  public init(
    uniqueElements elements: some Sequence<Element>,
    id: any KeyPath<Element, ID> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(id: id)
    fill(Array(elements), fileID, line)
  }

  /// Creates an array that combines elements with the same id.
  ///
  /// ```swift
  /// IdentifiedArray(pages.joined(), id: \.url, uniquingIDsWith: { _, new in new })
  /// ```
  ///
  /// The combined element takes the position of the first. If it has another id, the array keeps
  /// the first, and reports an issue.
  @inlinable
  public init(
    _ elements: some Sequence<Element>,
    id: any KeyPath<Element, ID> & Sendable,
    uniquingIDsWith combine: (_ first: Element, _ next: Element) throws -> Element,
    fileID: StaticString = #fileID, line: UInt = #line
  ) rethrows {
    self.init(id: id)
    try self.combine(elements, combine, fileID, line)
  }
}

extension IdentifiedArray: Sendable where Element: Sendable {}
