/// The kind of a key, by its index.
enum KeyKind {
  /// A number that is never aliased.
  case base
  /// A number with its own test value.
  case plain
  case object
  /// A number without a test value.
  case simple
  /// Its default is computed from the previous key.
  case readsNeighbor
  /// Its default is computed from the two previous keys.
  case readsNeighbors
  /// Its default is computed from the first key.
  case readsFirst

  init(_ index: Int) {
    let kinds: [KeyKind] = [
      .base, .plain, .object, .object, .simple, .readsNeighbor, .readsNeighbors, .readsFirst,
    ]
    self = kinds[index % 8]
  }

  /// Whether a value of such a key gets through a carrier.
  func travels(_ value: Int) -> Bool {
    switch self {
    case .object: false  // whose key is no `CarriedKey`
    case .simple: value >= 0
    default: true
    }
  }

  /// Whether a key of this kind may be the target of aliases.
  ///
  /// No default may read keys that could be aliased to it.
  var canBeRoot: Bool {
    switch self {
    case .plain, .object, .simple, .readsFirst: true
    case .base, .readsNeighbor, .readsNeighbors: false
    }
  }
}
