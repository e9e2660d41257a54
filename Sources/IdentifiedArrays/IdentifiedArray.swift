/// An array whose elements have unique ids and can be looked up by them.
///
/// ```swift
/// var counters: IdentifiedArrayOf<Counter> = [Counter(id: 1), Counter(id: 2)]
/// counters[id: 2]?.count += 1
/// let count = counters[0].count  // by position
/// ```
///
/// Two arrays with equal elements are equal, even if they read ids differently.
///
/// **Ids are unique, and an element keeps its id.** Adding an element whose id is taken changes nothing.
/// If an assignment would give two elements the same id, or put an element under another element's id,
/// the array reports an issue that names the id, and doesn't change. If you change an element's id *in place* (`array[0].id = 7`), the array
/// reports an issue and keeps finding the element by its old id.
///
/// If the elements are objects, their ids must not change, because the array doesn't notice.
///
/// Lookup, appending, changing an element, and `ids` have a constant cost. Inserting and removing
/// elsewhere moves the elements after it, as in an array, and, except at the start, updates their
/// positions, which takes longer. Changing an element in place copies no element, unless the array
/// itself is shared. In addition to the elements, the array stores their ids, and, from 17 on, a
/// dictionary of their positions.
@frozen
public struct IdentifiedArray<ID: Hashable & Sendable, Element> {
  /// The elements, in order; returned at no cost.
  @inlinable public var elements: [Element] { storage }

  /// The ids, in the order of the elements; returned at no cost.
  @inlinable public var ids: [ID] { storedIDs }

  /// The elements; setting them notes that any may have changed.
  @inlinable var storage: [Element] {
    get { stored }
    _modify {
      defer { noteChange(at: nil) }
      yield &stored
    }
  }

  @usableFromInline var stored: [Element] = []

  @usableFromInline var changes: ElementChanges?

  /// The last position that `changes` noted; `nil` if it doesn't matter which positions change.
  @usableFromInline var notedPosition: Int?

  /// The id of each element, at the element's position.
  @usableFromInline var storedIDs: [ID] = []

  /// The position of each id, plus `base`; empty in a small array.
  @usableFromInline var positions: [ID: Int] = [:]

  /// What `positions` has for the first element, so that the others stay when it is removed.
  @usableFromInline var base = 0

  // Sound: it reads a key path that is Sendable, or a conformance of Element. An array is Sendable
  // only if Element is, and then no conformance of Element is isolated.
  @usableFromInline nonisolated(unsafe) let readID: (Element) -> ID

  @inlinable
  init(reading readID: @escaping (Element) -> ID) {
    unsafe self.readID = readID
  }

  @inlinable
  func id(_ element: Element) -> ID {
    // Sound: see `readID`.
    unsafe readID(element)
  }
}

extension IdentifiedArray: Sendable where Element: Sendable {}

/// An array of elements identified by their own `id`.
public typealias IdentifiedArrayOf<Element: Identifiable> = IdentifiedArray<Element.ID, Element>
where Element.ID: Sendable

/// Creating an array of elements that have their id at a key path.
extension IdentifiedArray {
  /// Creates an empty array whose elements have their id at a key path.
  @inlinable
  public init(id: any KeyPath<Element, ID> & Sendable) {
    self.init(reading: { $0[keyPath: id] })
  }

  /// Creates an array of elements with distinct ids.
  ///
  /// If several elements have the same id, the array keeps the first, and reports an issue that
  /// names the id and the positions. To choose, pass `uniquingIDsWith:`.
  @inlinable
  public init(
    _ elements: some Sequence<Element>,
    id: any KeyPath<Element, ID> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(id: id)
    reportDuplicates(fill(Array(elements)), fileID, line)
  }

  /// Creates an array of elements with distinct ids, like ``init(_:id:fileID:line:)``.
  @inlinable
  public init(
    uniqueElements elements: some Sequence<Element>,
    id: any KeyPath<Element, ID> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(elements, id: id, fileID: fileID, line: line)
  }

  /// Creates an array of elements, and combines those that have the same id.
  ///
  /// `combine` returns the element to keep, which must have the same id.
  @inlinable
  public init(
    _ elements: some Sequence<Element>,
    id: any KeyPath<Element, ID> & Sendable,
    uniquingIDsWith combine: (_ first: Element, _ next: Element) throws -> Element
  ) rethrows {
    self.init(id: id)
    try add(elements, combine)
  }

  @inlinable
  mutating func add(
    _ elements: some Sequence<Element>, _ combine: (Element, Element) throws -> Element
  ) rethrows {
    for element in elements {
      let id = id(element)
      self[id: id] = try self[id: id].map { try combine($0, element) } ?? element
    }
  }
}

/// Creating an array of elements that are identified by their own `id`.
extension IdentifiedArray where Element: Identifiable, ID == Element.ID {
  /// Creates an empty array.
  @inlinable
  public init() {
    self.init(reading: { $0.id })
  }

  /// Creates an array of elements with distinct ids.
  ///
  /// If several elements have the same id, the array keeps the first, and reports an issue that
  /// names the id and the positions. To choose, pass `uniquingIDsWith:`.
  @inlinable
  public init(
    _ elements: some Sequence<Element>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init()
    reportDuplicates(fill(Array(elements)), fileID, line)
  }

  /// Creates an array of elements with distinct ids, like ``init(_:fileID:line:)``.
  @inlinable
  public init(
    uniqueElements elements: some Sequence<Element>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(elements, fileID: fileID, line: line)
  }

  /// Creates an array of elements, and combines those that have the same id.
  ///
  /// ```swift
  /// IdentifiedArray(counters, uniquingIDsWith: { first, last in last })
  /// ```
  ///
  /// `combine` returns the element to keep, which must have the same id.
  @inlinable
  public init(
    _ elements: some Sequence<Element>,
    uniquingIDsWith combine: (_ first: Element, _ next: Element) throws -> Element
  ) rethrows {
    self.init()
    try add(elements, combine)
  }

  /// Not available: the array checks that ids are unique.
  @available(*, unavailable, renamed: "init(uniqueElements:)")
  public init(uncheckedUniqueElements elements: some Sequence<Element>) { fatalError() }
}

extension IdentifiedArray: ExpressibleByArrayLiteral
where Element: Identifiable, ID == Element.ID {
  /// Creates an array of elements with distinct ids, like ``init(_:fileID:line:)``.
  @inlinable
  public init(arrayLiteral elements: Element...) {
    self.init()
    reportDuplicates(fill(elements), nil, 0)
  }
}

extension IdentifiedArray {
  /// An id that several elements have, with the positions of all of them.
  @usableFromInline typealias Duplicate = (id: ID, positions: [Int])

  /// Fills an empty array, keeping the first element for each id.
  ///
  /// - Returns: The ids of several elements, in the order of their first ones.
  @inlinable
  mutating func fill(_ new: [Element]) -> [Duplicate] {
    // Few are compared below, without an index.
    if new.count > Self.unindexedCount {
      storedIDs = new.map(id)
      addPositions()
      if positions.count == new.count {
        storage = new
        return []
      }
      storedIDs = []
      positions = [:]
    }
    reserveCapacity(new.count)
    var sources: [Int] = []
    var duplicates: [Int: [Int]] = [:]
    for (source, element) in new.enumerated() {
      let id = id(element)
      if let first = index(id: id) {
        duplicates[first, default: [sources[first]]].append(source)
      } else {
        sources.append(source)
        add(element, id)
      }
    }
    return duplicates.sorted { $0.key < $1.key }.map { (storedIDs[$0.key], $0.value) }
  }
}
