/// What the key of an index is.
enum KeyKind {
  /// A number that is never aliased.
  case base
  /// A number, with a value of its own for tests.
  case plain
  case object
  /// A number without one.
  case simple
  /// Its default is made from the key before it.
  case readsNeighbor
  /// Its default is made from the two keys before it.
  case readsNeighbors
  /// Its default is made from the first key.
  case readsFirst

  init(_ index: Int) {
    let kinds: [KeyKind] = [
      .base, .plain, .object, .object, .simple, .readsNeighbor, .readsNeighbors, .readsFirst,
    ]
    self = kinds[index % 8]
  }

  /// Whether a key of this kind may be that to which others are aliased; no default may be made
  /// from keys that could become one with it.
  var canBeRoot: Bool {
    switch self {
    case .plain, .object, .simple, .readsFirst: true
    case .base, .readsNeighbor, .readsNeighbors: false
    }
  }
}
