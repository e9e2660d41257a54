internal import ComposableDependencies

extension IdentifiedArray {
  @usableFromInline
  func reportDuplicates(_ duplicates: [Duplicate], _ fileID: StaticString?, _ line: UInt) {
    for (id, positions) in duplicates {
      DependencyIssue(
        problem: """
          \(positions.count) elements of an IdentifiedArray<\(ID.self), \(Element.self)> have the \
          same id, \(id), at positions \(Self.list(positions)). The array keeps the first.
          """,
        remedy: """
          give each element its own id, or choose which one to keep: \
          `IdentifiedArray(elements, uniquingIDsWith: { first, last in last })`.
          """,
        at: fileID.map { SourcePlace(fileID: $0, line: line) }
      ).report()
    }
  }

  static func list(_ positions: [Int]) -> String {
    let texts = positions.map(String.init)
    return texts.dropLast().joined(separator: ", ") + " and " + (texts.last ?? "")
  }

  // Swift doesn't pass a source place to a subscript, so some issues name only the type.
  @usableFromInline
  func reportTaken(_ id: ID) {
    DependencyIssue(
      problem: """
        Two elements of an IdentifiedArray<\(ID.self), \(Element.self)> would have the same id, \
        \(id). The array is unchanged.
        """,
      remedy: """
        give each element its own id. To reorder elements, use `swapAt`, `move(from:to:)` or `sort`, \
        which never assign one element over another.
        """,
      at: nil
    ).report()
  }

  @usableFromInline
  func reportOutOfRange(_ position: Int) {
    DependencyIssue(
      problem: """
        There is no position \(position) in an IdentifiedArray<\(ID.self), \(Element.self)> of \
        \(storage.count) elements. The array ignores it.
        """,
      remedy: "pass positions that are in the array's `indices` at the time of the call.",
      at: nil
    ).report()
  }

  @usableFromInline
  func reportChanged(_ id: ID, to newID: ID, _ outcome: String) {
    DependencyIssue(
      problem: """
        The element with the id \(id) in an IdentifiedArray<\(ID.self), \(Element.self)> was given \
        the id \(newID). \(outcome)
        """,
      remedy: """
        declare the id with `let`. To replace an element by one with another id, remove the old \
        element and insert the new one.
        """,
      at: nil
    ).report()
  }
}
