/// An operation on a global store.
struct Event {
  enum Kind {
    case access
    case set([Int: Int])
    case reset
    case alias(Int, to: Int)
    case clearAliases
  }

  let id: Int
  let kind: Kind
  /// The events that happened before it.
  let past: Past

  /// Whether no other operation on the store may be concurrent, in a program that is judged.
  var isExclusive: Bool {
    switch kind {
    case .access, .set: false
    case .reset, .alias, .clearAliases: true
    }
  }

  var isAccess: Bool {
    if case .access = kind { true } else { false }
  }

  func isUnordered(with other: Event) -> Bool {
    id != other.id && !past.contains(other.id) && !other.past.contains(id)
  }
}
