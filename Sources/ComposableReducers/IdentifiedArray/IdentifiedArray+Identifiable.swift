/// An array of elements identified by their own `id`.
public typealias IdentifiedArrayOf<Element: Identifiable> = IdentifiedArray<Element.ID, Element>
where Element.ID: Sendable

extension IdentifiedArray where Element: Identifiable, ID == Element.ID {
  /// Creates an empty array.
  @inlinable
  public init() {
    self.init(reading: { $0.id }, writableID: nil)
  }

  /// Creates an array of elements with different ids.
  ///
  /// If several elements have the same id, the array keeps the first, and reports an issue that
  /// names the id and the positions. If you expect that, use
  /// ``init(_:uniquingIDsWith:fileID:line:)``.
  @inlinable
  public init(
    uniqueElements elements: some Sequence<Element>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init()
    fill(Array(elements), fileID, line)
  }

  /// Creates an array that combines elements with the same id.
  ///
  /// The combined element takes the position of the first. If it has another id, the array keeps
  /// the first, and reports an issue.
  @inlinable
  public init(
    _ elements: some Sequence<Element>,
    uniquingIDsWith combine: (_ first: Element, _ next: Element) throws -> Element,
    fileID: StaticString = #fileID, line: UInt = #line
  ) rethrows {
    self.init()
    try self.combine(elements, combine, fileID, line)
  }
}

extension IdentifiedArray: ExpressibleByArrayLiteral
where Element: Identifiable, ID == Element.ID {
  /// Creates an array of elements with different ids, like ``init(uniqueElements:fileID:line:)``.
  @inlinable
  public init(arrayLiteral elements: Element...) {
    self.init(uniqueElements: elements)
  }
}
