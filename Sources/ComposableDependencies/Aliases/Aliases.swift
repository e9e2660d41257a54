/// The keys that are aliased to each other, and the order in which a read asks for them.
///
/// Declared aliases are edges from a key to its target. Keys that edges connect, in either direction,
/// form a class. Adding an alias costs the same however many there are, unless it joins two classes of
/// several keys each.
struct Aliases {
  enum Outcome: Equatable {
    case added
    /// The two are aliased already.
    case alreadyFollows
    /// The target leads back to the key.
    case cycle
  }

  private var keys: [ObjectIdentifier: AliasedKey] = [:]
  private var edgeCount = 0

  /// The class of an aliased key.
  subscript(id: ObjectIdentifier) -> AliasClass? { keys[id]?.aliasClass }

  /// Whether exactly this alias was declared.
  func contains(_ key: any DependencyKey.Type, to target: any DependencyKey.Type) -> Bool {
    keys[ObjectIdentifier(key)]?.targets.contains { $0.object.key == target } ?? false
  }

  mutating func alias(
    _ key: any DependencyKey.Type, to target: any DependencyKey.Type
  ) -> Outcome {
    if key == target { return .alreadyFollows }
    let key = entry(of: key)
    let target = entry(of: target)
    if key.aliasClass === target.aliasClass {
      return target.leads(to: key) ? .cycle : .alreadyFollows
    }
    edgeCount += 1
    let joined = key.aliasClass.joined(with: target.aliasClass)
    joined.add(key, to: target, edge: edgeCount)
    return .added
  }

  private mutating func entry(of key: any DependencyKey.Type) -> AliasedKey {
    let id = ObjectIdentifier(key)
    if let entry = keys[id] { return entry }
    let entry = AliasedKey(key)
    keys[id] = entry
    return entry
  }
}
