/// The keys that are aliased to each other.
///
/// An alias is an edge from a key to its target. Keys that edges connect, in either direction, form
/// a group.
struct Aliases {
  enum Outcome: Equatable {
    case added
    /// The two are aliased already.
    case alreadyFollows
    /// The target leads back to the key.
    case cycle
  }

  private var groups: [ObjectIdentifier: AliasGroup] = [:]
  private var edgeCount = 0

  /// The group of an aliased key.
  subscript(id: ObjectIdentifier) -> AliasGroup? { groups[id] }

  /// What an alias of a key to another would do.
  func outcome(
    of key: any DependencyKey.Type, to target: any DependencyKey.Type
  ) -> Outcome {
    if key == target { return .alreadyFollows }
    guard let group = self[ObjectIdentifier(key)], group.keys.contains(where: { $0 == target })
    else { return .added }
    return group.leads(from: target, to: key) ? .cycle : .alreadyFollows
  }

  mutating func alias(
    _ key: any DependencyKey.Type, to target: any DependencyKey.Type
  ) -> Outcome {
    let outcome = outcome(of: key, to: target)
    guard outcome == .added else { return outcome }
    edgeCount += 1
    let edges = [key, target].flatMap { self[ObjectIdentifier($0)]?.edges ?? [] }
    let new = AliasGroup.Edge(number: edgeCount, key: key, target: target)
    let group = AliasGroup((edges + [new]).sorted { $0.number < $1.number })
    for key in group.keys { groups[ObjectIdentifier(key)] = group }
    return .added
  }
}

/// Keys that are aliased to each other, directly or through others.
struct AliasGroup {
  struct Edge {
    /// Counts the aliases of a store.
    let number: Int
    let key: any DependencyKey.Type
    let target: any DependencyKey.Type
  }

  /// In the order in which they were added.
  fileprivate let edges: [Edge]
  /// The order in which a read asks for the keys: the root, then the others in the order in which
  /// they were aliased, then the targets that aren't aliased themselves.
  let keys: [any DependencyKey.Type]

  fileprivate init(_ edges: [Edge]) {
    self.edges = edges
    let aliased = Set(edges.lazy.map { ObjectIdentifier($0.key) })
    let root = edges.last { !aliased.contains(ObjectIdentifier($0.target)) }!.target
    var seen: Set<ObjectIdentifier> = []
    keys = ([root] + edges.map(\.key) + edges.map(\.target))
      .filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// The key whose default all of them read: the last target that isn't aliased itself.
  var root: any DependencyKey.Type { keys[0] }

  /// Whether a key is aliased to another, directly or through others.
  fileprivate func leads(
    from key: any DependencyKey.Type, to other: any DependencyKey.Type
  ) -> Bool {
    var pending = [key]
    while let next = pending.popLast() {
      if next == other { return true }
      pending += edges.lazy.filter { $0.key == next }.map(\.target)
    }
    return false
  }
}
