internal import ComposableDependencies

extension IdentifiedArray {
  /// The ids that several elements have, each with all of its positions, in order.
  func duplicates(in elements: [Element]) -> [(id: ID, positions: [Int])] {
    let positions = Dictionary(grouping: elements.indices) { id(elements[$0]) }
    return positions.filter { $0.value.count > 1 }
      .sorted { $0.value[0] < $1.value[0] }
      .map { (id: $0.key, positions: $0.value) }
  }

  func reportDuplicates(in elements: [Element], _ fileID: StaticString, _ line: UInt) {
    for (id, positions) in duplicates(in: elements) {
      DependencyIssue(
        problem: """
          \(positions.count) elements of an IdentifiedArray<\(ID.self), \(Element.self)> have the \
          same id, \(id), at the positions \(list(positions)). The first is kept.
          """,
        remedy: """
          give each element an id of its own, or say which one stays: \
          `IdentifiedArray(elements, uniquingIDsWith: { first, next in next })`.
          """,
        fileID: fileID,
        line: line
      ).report()
    }
  }

  func reportCombined(_ id: ID, into combined: ID, _ fileID: StaticString, _ line: UInt) {
    DependencyIssue(
      problem: """
        Two elements with the id \(id) were combined into one with the id \(combined). The first is \
        kept.
        """,
      remedy: "let `uniquingIDsWith` return an element with the id of the two.",
      fileID: fileID,
      line: line
    ).report()
  }

  // Swift tells a subscript no place, so these issues name the type instead.
  func reportTaken(_ id: ID) {
    DependencyIssue(
      problem: """
        Two elements of an IdentifiedArray<\(ID.self), \(Element.self)> would have the same id, \
        \(id). Nothing is changed.
        """,
      remedy: """
        give each element an id of its own; to reorder elements use `swapAt`, `move(from:to:)` or \
        `sort`, which never assign one over another.
        """,
      at: nil
    ).report()
  }

  func reportChanged(_ id: ID, to newID: ID, _ outcome: String) {
    DependencyIssue(
      problem: """
        The element with the id \(id) of an IdentifiedArray<\(ID.self), \(Element.self)> was given \
        the id \(newID). \(outcome)
        """,
      remedy: """
        `let` for the property that is the id; to exchange an element for another, remove the one \
        and insert the other.
        """,
      at: nil
    ).report()
  }
}

func list(_ positions: [Int]) -> String {
  let texts = positions.map(String.init)
  return texts.dropLast().joined(separator: ", ") + " and " + (texts.last ?? "")
}
