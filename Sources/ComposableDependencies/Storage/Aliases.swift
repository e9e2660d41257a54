/// Which keys are one, and in what order a read asks them.
///
/// Declared aliases are edges from a key to its target. Keys that edges connect, in whichever
/// direction, form a class; a class has one root, whose default all of it reads.
struct Aliases {
  /// Keys that are one.
  final class Class: Sendable {
    let root: any DependencyKey.Type
    /// The root first, then the others in the order in which they were aliased.
    let members: [any DependencyKey.Type]

    init(root: any DependencyKey.Type, members: [any DependencyKey.Type]) {
      self.root = root
      self.members = members
    }
  }

  enum Outcome: Equatable {
    case added
    /// The two are one already.
    case alreadyFollows
    /// The target leads back to the key.
    case cycle
  }

  private struct Edge {
    let key: any DependencyKey.Type
    let target: any DependencyKey.Type
  }

  private var edges: [Edge] = []
  private var classes: [ObjectIdentifier: Class] = [:]

  var isEmpty: Bool { edges.isEmpty }

  /// The class of a key that is aliased to others.
  subscript(id: ObjectIdentifier) -> Class? { classes[id] }

  mutating func alias(
    _ key: any DependencyKey.Type, to target: any DependencyKey.Type
  ) -> Outcome {
    let (id, targetID) = (ObjectIdentifier(key), ObjectIdentifier(target))
    if id != targetID, leads(from: targetID, to: id) { return .cycle }
    if id == targetID || classes[id].map({ $0 === classes[targetID] }) ?? false {
      return .alreadyFollows
    }
    edges.append(Edge(key: key, target: target))
    rebuildClass(of: id)
    return .added
  }

  private func leads(from id: ObjectIdentifier, to target: ObjectIdentifier) -> Bool {
    id == target
      || edges.contains {
        ObjectIdentifier($0.key) == id && leads(from: ObjectIdentifier($0.target), to: target)
      }
  }

  private mutating func rebuildClass(of id: ObjectIdentifier) {
    var connected: Set = [id]
    var count = 0
    while count != connected.count {
      count = connected.count
      for edge in edges {
        let pair = [ObjectIdentifier(edge.key), ObjectIdentifier(edge.target)]
        if pair.contains(where: connected.contains) { connected.formUnion(pair) }
      }
    }
    let edges = edges.filter { connected.contains(ObjectIdentifier($0.key)) }
    let aliased = Set(edges.map { ObjectIdentifier($0.key) })
    guard let root = edges.last(where: { !aliased.contains(ObjectIdentifier($0.target)) })?.target
    else { return }

    var members = [root]
    for key in edges.map(\.key) + edges.map(\.target)
    where !members.contains(where: { $0 == key }) {
      members.append(key)
    }
    let aliasClass = Class(root: root, members: members)
    for member in members { classes[ObjectIdentifier(member)] = aliasClass }
  }
}
