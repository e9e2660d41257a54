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
