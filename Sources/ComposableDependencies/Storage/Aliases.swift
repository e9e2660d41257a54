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

    /// The override that a read of any of these keys finds.
    func first(in overrides: [OverrideNode]) -> OverrideNode? {
      for member in members {
        for override in overrides where override.id == ObjectIdentifier(member) { return override }
      }
      return nil
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
    join((classes[id]?.members ?? [key]) + (classes[targetID]?.members ?? [target]))
    return .added
  }

  private func leads(from id: ObjectIdentifier, to target: ObjectIdentifier) -> Bool {
    id == target
      || edges.contains {
        ObjectIdentifier($0.key) == id && leads(from: ObjectIdentifier($0.target), to: target)
      }
  }

  /// Makes a class of all keys that edges connect with one another.
  private mutating func join(_ keys: [any DependencyKey.Type]) {
    let edges = edges.filter { keys.contains($0.key) }
    let sources = edges.map { $0.key }
    let targets = edges.map { $0.target }
    guard let root = targets.last(where: { !sources.contains($0) }) else { return }

    var members = [root]
    for key in sources + targets where !members.contains(key) { members.append(key) }
    let aliasClass = Class(root: root, members: members)
    for member in members { classes[ObjectIdentifier(member)] = aliasClass }
  }
}

extension [any DependencyKey.Type] {
  fileprivate func contains(_ key: any DependencyKey.Type) -> Bool {
    contains { $0 == key }
  }
}
