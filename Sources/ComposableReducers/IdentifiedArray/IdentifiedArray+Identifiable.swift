extension IdentifiedArray where Element: Identifiable, ID == Element.ID {
  /// Makes an empty array.
  public init() {
    self.init(uncheckedID: { $0.id })
  }

  /// Makes an array of elements with different ids.
  ///
  /// Of elements with the same id the first is kept, and an issue is reported that names the id and
  /// the positions. Where the same id is to be expected, use
  /// ``init(_:uniquingIDsWith:fileID:line:)``.
  public init(
    uniqueElements elements: some Sequence<Element>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init()
    fill(Array(elements), fileID, line)
  }

  /// Makes an array in which elements with the same id are combined into one.
  ///
  /// The combined element takes the place of the first, and has to have the same id; otherwise
  /// an issue is reported, and the first is kept.
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
  /// Makes an array of elements with different ids, as ``init(uniqueElements:fileID:line:)`` does.
  public init(arrayLiteral elements: Element...) {
    self.init(uniqueElements: elements)
  }
}
