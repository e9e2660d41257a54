/// Keys that are aliased to each other, directly or through others.
///
/// It changes only while the global store is locked for writing. `Aliases` owns the keys, which own
/// their class.
final class AliasClass {
  /// The key whose default all of them read: the last target that isn't aliased itself.
  private(set) var root: any DependencyKey.Type
  /// The aliased keys, in the order of their aliases.
  private var aliased: [Unowned<AliasedKey>] = []
  /// The targets that aren't aliased themselves, in the order of their aliases.
  private var targets: [Unowned<AliasedKey>] = []

  init(of key: any DependencyKey.Type) {
    root = key
  }

  /// The root, then the others in the order of their aliases.
  var keys: [any DependencyKey.Type] {
    [root] + (aliased + targets).lazy.map(\.object.key).filter { $0 != self.root }
  }

  /// The first result of `find`, called for the root and then for the others.
  func first<Found>(_ find: (ObjectIdentifier) -> Found?) -> Found? {
    if let found = find(ObjectIdentifier(root)) { return found }
    for key in aliased { if let found = find(key.object.id) { return found } }
    for key in targets { if let found = find(key.object.id) { return found } }
    return nil
  }

  /// Merges two classes.
  func joined(with other: AliasClass) -> AliasClass {
    let (large, small) = count < other.count ? (other, self) : (self, other)
    for key in small.aliased + small.targets { key.object.aliasClass = large }
    if !small.aliased.isEmpty {
      large.aliased = large.aliased.merged(with: small.aliased) { $0.aliasedAt }
      large.targets = large.targets.merged(with: small.targets) { $0.targetedAt }
    }
    return large
  }

  private var count: Int { aliased.count + targets.count }

  /// Adds an alias between two keys, each of which is in this class or in none.
  func add(_ key: AliasedKey, to target: AliasedKey, edge: Int) {
    key.aliasClass = self
    target.aliasClass = self
    key.targets.append(Unowned(target))
    if key.aliasedAt == .max {
      key.aliasedAt = edge
      aliased.append(Unowned(key))
      if key.targetedAt != .max { targets.removeAll { $0 == Unowned(key) } }
    }
    if target.targetedAt == .max {
      target.targetedAt = edge
      if target.aliasedAt == .max { targets.append(Unowned(target)) }
    }
    target.lastTargetedAt = edge
    root = target.aliasedAt == .max ? target.key : rootOfTargets.key
  }

  private var rootOfTargets: AliasedKey {
    targets.max { $0.object.lastTargetedAt < $1.object.lastTargetedAt }!.object
  }
}

extension [Unowned<AliasedKey>] {
  /// Merges two lists, each of which is in the order of `position`.
  fileprivate func merged(with other: Self, by position: (AliasedKey) -> Int) -> Self {
    var merged: Self = []
    var rest = other[...]
    for key in self {
      while let next = rest.first, position(next.object) < position(key.object) {
        merged.append(rest.removeFirst())
      }
      merged.append(key)
    }
    return merged + rest
  }
}

/// A key that is aliased, or that other keys are aliased to.
final class AliasedKey {
  let key: any DependencyKey.Type
  fileprivate(set) var aliasClass: AliasClass
  /// The keys that this key is aliased to.
  fileprivate(set) var targets: [Unowned<AliasedKey>] = []
  /// The first alias of this key.
  fileprivate var aliasedAt = Int.max
  /// The first alias to this key, and the last.
  fileprivate var targetedAt = Int.max
  fileprivate var lastTargetedAt = 0

  init(_ key: any DependencyKey.Type) {
    self.key = key
    aliasClass = AliasClass(of: key)
  }

  var id: ObjectIdentifier { ObjectIdentifier(key) }

  /// Whether this key is aliased to another, directly or through others.
  func leads(to other: AliasedKey) -> Bool {
    var waiting = [Unowned(self)]
    while let key = waiting.popLast() {
      if key == Unowned(other) { return true }
      waiting += key.object.targets
    }
    return false
  }
}
