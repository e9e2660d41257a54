internal import ComposableDependencies

extension IdentifiedArray {
  /// Returns the ids that several elements have, each with all of its positions, in order.
  func duplicates(in elements: [Element]) -> [(id: ID, positions: [Int])] {
    let positions = Dictionary(grouping: elements.indices) { id(elements[$0]) }
    return positions.filter { $0.value.count > 1 }
      .sorted { $0.value[0] < $1.value[0] }
      .map { (id: $0.key, positions: $0.value) }
  }

  @usableFromInline
  func reportDuplicates(in elements: [Element], _ fileID: StaticString, _ line: UInt) {
    for (id, positions) in duplicates(in: elements) {
      DependencyIssue(
        problem: """
          \(positions.count) elements of an IdentifiedArray<\(ID.self), \(Element.self)> have the \
          same id, \(id), at positions \(list(positions)). The array keeps the first.
          """,
        remedy: """
          give each element its own id, or choose which one to keep: \
          `IdentifiedArray(elements, uniquingIDsWith: { first, next in next })`.
          """,
        fileID: fileID,
        line: line
      ).report()
    }
  }

  @usableFromInline
  func reportCombined(_ id: ID, into combined: ID, _ fileID: StaticString, _ line: UInt) {
    DependencyIssue(
      problem: """
        `uniquingIDsWith` combined two elements with the id \(id) into one with the id \
        \(combined). The array keeps the first.
        """,
      remedy: "return an element with the same id from `uniquingIDsWith`.",
      fileID: fileID,
      line: line
    ).report()
  }

  @usableFromInline
  func reportTaken(in new: [Element]) {
    if let duplicate = duplicates(in: new).first { reportTaken(duplicate.id) }
  }

  // Swift doesn't pass a source place to a subscript, so these issues name the type instead.
  @usableFromInline
  func reportTaken(_ id: ID) {
    DependencyIssue(
      problem: """
        Two elements of an IdentifiedArray<\(ID.self), \(Element.self)> would have the same id, \
        \(id). The array is unchanged.
        """,
      remedy: """
        give each element its own id. To reorder elements, use `swapAt`, `move(from:to:)` or \
        `sort`, which never assign one element over another.
        """,
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

func list(_ positions: [Int]) -> String {
  let texts = positions.map(String.init)
  return texts.dropLast().joined(separator: ", ") + " and " + (texts.last ?? "")
}
