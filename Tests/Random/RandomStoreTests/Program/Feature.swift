/// One feature of the tree: its environment, how it is part of its parent, its children.
struct Feature: Sendable {
  enum Kind: CaseIterable, Sendable {
    /// Captures a scope.
    case composable
    /// Captures none.
    case global
    /// Not an environment of the library.
    case plain
  }

  enum Link: CaseIterable, Sendable {
    case property, optional, enumCase, identifiedArray, dictionary
  }

  enum Source: Sendable {
    /// Created by the pullback, in the parent's scope.
    case made
    /// Named: derived from the parent's environment, with more overrides.
    case named(Overrides)
  }

  var kind: Kind
  var link: Link
  var source: Source
  var children: [Feature] = []

  var count: Int { children.reduce(1) { $0 + $1.count } }
}
