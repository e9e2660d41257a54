/// An array whose elements have an id each, no two the same, and are found by it.
///
/// ```swift
/// var counters: IdentifiedArray<Int, Counter> = [Counter(id: 1), Counter(id: 2)]
/// counters[id: 2]?.count += 1
/// counters[0].count        // by position
/// ```
///
/// Two arrays are equal, and hash and are coded alike, where their elements are; how the ids are
/// found in the elements is no part of it.
///
/// **An element keeps its id.** Where a mutation would give two elements the same id, or put an
/// element under an id that is not its own, an issue is reported and nothing changes. Where an
/// element's id is changed *in place* (`array[0].id = 7`), the old element is gone by the time the
/// change is seen; the two subscripts tell what is done then.
///
/// Where the elements are objects, their ids must not change: the array would not see it.
///
/// Looking up, adding at the end, and changing one element cost the same whatever the number of
/// elements; inserting and removing elsewhere cost in proportion to the elements behind. Changing
/// an element in place never copies it, nor the others, unless the array itself is shared.
public struct IdentifiedArray<ID: Hashable & Sendable, Element> {
  /// The elements, in order; costs nothing.
  public var elements: [Element] { storage }

  @usableFromInline var storage: [Element]

  /// The position of each element, by its id: an index only, no part of the value.
  @usableFromInline var positions: [ID: Int]

  @usableFromInline let id: @Sendable (Element) -> ID

  /// Where the id can be put back, if at all; only key paths tell.
  let writableID: (any KeyPath<Element, ID> & Sendable)?

  /// Makes an empty array whose elements have their id at a key path.
  public init(id: any KeyPath<Element, ID> & Sendable) {
    self.init(id: { $0[keyPath: id] }, writableID: id is WritableKeyPath<Element, ID> ? id : nil)
  }

  init(id: @escaping @Sendable (Element) -> ID, writableID: (any KeyPath<Element, ID> & Sendable)?)
  {
    storage = []
    positions = [:]
    self.id = id
    self.writableID = writableID
  }

  init(uncheckedID id: @escaping (Element) -> ID) {
    // Sound for a conformance of Element: an array is Sendable only if Element is, and then no
    // conformance of it is isolated.
    nonisolated(unsafe) let id = id
    self.init(id: { unsafe id($0) }, writableID: nil)
  }

  /// Makes an array of elements with different ids.
  ///
  /// Of elements with the same id the first is kept, and an issue is reported that names the id and
  /// the positions. Where the same id is to be expected, use
  /// ``init(_:id:uniquingIDsWith:fileID:line:)``.
  public init(
    uniqueElements elements: some Sequence<Element>,
    id: any KeyPath<Element, ID> & Sendable,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(id: id)
    fill(Array(elements), fileID, line)
  }

  /// Makes an array in which elements with the same id are combined into one.
  ///
  /// ```swift
  /// IdentifiedArray(pages.joined(), id: \.url, uniquingIDsWith: { _, new in new })
  /// ```
  ///
  /// The combined element takes the place of the first, and has to have the same id; otherwise
  /// an issue is reported, and the first is kept.
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
