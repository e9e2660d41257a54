/// One feature of the tree: its environment, how it is part of its parent, its children.
struct Feature: Sendable {
  enum Kind: CaseIterable, Sendable {
    /// Captures a scope.
    case composable
    /// Captures none.
    case global
    /// No environment of the library's.
    case plain
  }

  enum Link: CaseIterable, Sendable {
    case property, optional, enumCase, identifiedArray, dictionary
  }

  enum Source: Sendable {
    /// Made by the pullback, in the scope of the parent.
    case made
    /// Named: derived from the parent's, with more overrides.
    case named(Overrides)
  }

  var kind: Kind
  var link: Link
  var source: Source
  var children: [Feature] = []

  var count: Int { children.reduce(1) { $0 + $1.count } }
}
