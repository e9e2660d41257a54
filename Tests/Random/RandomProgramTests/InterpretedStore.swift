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

/// The events that happened before a moment.
///
/// Every other event is concurrent with it, or after it.
struct Past {
  private var words: [UInt64] = []

  func contains(_ event: Int) -> Bool {
    event / 64 < words.count && words[event / 64] >> UInt64(event % 64) & 1 == 1
  }

  mutating func insert(_ event: Int) {
    while words.count <= event / 64 { words.append(0) }
    words[event / 64] |= 1 << UInt64(event % 64)
  }

  mutating func formUnion(_ other: Past) {
    while words.count < other.words.count { words.append(0) }
    for index in other.words.indices { words[index] |= other.words[index] }
  }
}

/// The keys that are aliased to each other: rules 12 to 14.
struct AliasClasses {
  private var aliases: [(key: Int, target: Int)] = []

  /// The keys that are aliased to a key: the root, then the others in the order of their aliases.
  func members(of key: Int) -> [Int] {
    if aliases.isEmpty { return [key] }
    let connected = keysConnected(to: key)
    let mine = aliases.filter { connected.contains($0.key) }
    let isAliased = Set(mine.map(\.key))
    guard let root = mine.last(where: { !isAliased.contains($0.target) })?.target else {
      return [key]
    }
    var members = [root]
    for member in mine.map(\.key) + mine.map(\.target) where !members.contains(member) {
      members.append(member)
    }
    return members
  }

  private func keysConnected(to key: Int) -> Set<Int> {
    var connected: Set = [key]
    for _ in aliases {
      for alias in aliases where connected.contains(alias.key) || connected.contains(alias.target) {
        connected.formUnion([alias.key, alias.target])
      }
    }
    return connected
  }

  /// Whether an alias changes nothing, and whether it is a mistake.
  func outcome(ofAliasing key: Int, to target: Int) -> (isIgnored: Bool, isCycle: Bool) {
    (keysConnected(to: key).contains(target), key != target && leads(target, to: key))
  }

  private func leads(_ key: Int, to target: Int) -> Bool {
    key == target || aliases.contains { $0.key == key && leads($0.target, to: target) }
  }

  mutating func alias(_ key: Int, to target: Int) {
    if !outcome(ofAliasing: key, to: target).isIgnored { aliases.append((key, target)) }
  }
}
