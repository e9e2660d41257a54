/// A place on the way down from a store to a reducer, to which the effects of that reducer belong.
///
/// It exists while an effect of it runs, an interval of its throttles is open, or a child below it
/// exists; others are forgotten when there are many. It retains the children above it, for effects that
/// outlive it in the tree.
// Unchecked. Sound: the registry uses `groups` and `identified` under its lock, and the store uses the
// other variables in its isolation.
final class EffectChild: @unchecked Sendable {
  let parent: EffectChild?
  /// The `id` of the child's state, if it has one.
  let identity: ChildIdentity?

  /// The groups of its effects, if it may disappear.
  var groups: EffectRegistry.Members = [:]
  /// The groups of its identifiers and of those below it, by the identifier's hash.
  var identified: [Int: EffectRegistry.Members] = [:]

  var throttles = Throttles()
  /// Whether a child below it may disappear.
  private(set) var mayLose = false
  private var branches: [Pullback.Key: ChildBranch] = [:]

  init(below parent: EffectChild?, identity: ChildIdentity? = nil) {
    self.parent = parent
    self.identity = identity
  }

  /// The children to which a pullback leads from here.
  func branch(of link: ChildLink) -> ChildBranch {
    if let branch = branches[link.key] { return branch }
    let branch = link.pullback.makeBranch()
    branches[link.key] = branch
    return branch
  }

  func addChild(_ link: ChildLink) -> EffectChild {
    let child = EffectChild(below: self, identity: link.identity)
    branch(of: link).children[link.id] = child
    var next = link.pullback.mayDisappear ? self : nil
    while let child = next, !child.mayLose {
      child.mayLose = true
      next = child.parent
    }
    return child
  }

  /// Removes the children below that are gone from the state of this child.
  func removeGone<State>(in state: State, _ gone: inout [EffectChild]) {
    if !mayLose { return }
    for branch in branches.values { branch.removeGone(in: state, &gone) }
  }

  /// Forgets the children below, and the intervals, that nothing needs.
  ///
  /// - Returns: The number of the children that are left.
  func removeIdle() -> Int {
    throttles.removeThoseThatAreOver()
    let count = branches.values.reduce(0) { $0 + $1.removeIdle() }
    branches = branches.filter { !$0.value.children.isEmpty }
    return count
  }

  var isIdle: Bool { throttles.isEmpty && branches.isEmpty }

  /// Breaks the cycles with the children below and with waiting effects, when this one is removed.
  func removeAll() {
    for branch in branches.values {
      for child in branch.children.values { child.removeAll() }
    }
    branches = [:]
    throttles = Throttles()
  }
}

/// The children to which one pullback leads from one place.
class ChildBranch {
  var children: [EffectID: EffectChild] = [:]

  /// Removes the children that are gone from the parent's state.
  func removeGone<State>(in state: State, _ gone: inout [EffectChild]) {
    preconditionFailure("A subclass knows the state.")
  }

  func removeIdle() -> Int {
    var (count, index) = (0, children.startIndex)
    var idle: [EffectID] = []
    while index != children.endIndex {
      let below = children.values[index].removeIdle()
      // Effects and the children below have more references.
      if isKnownUniquelyReferenced(&children.values[index]), children.values[index].isIdle {
        idle.append(children.keys[index])
      } else {
        count += below + 1
      }
      children.formIndex(after: &index)
    }
    for id in idle { children[id] = nil }
    return count
  }
}

/// The step from a child to one below it that a pullback takes.
struct ChildLink: Sendable {
  let pullback: Pullback
  let key: Pullback.Key
  /// Which of the pullback's children it is.
  let id: EffectID
  /// The `id` of the child's state, if it has one.
  let identity: ChildIdentity?
}

/// How a pullback finds children in the parent's state.
@usableFromInline
final class Pullback: Sendable {
  /// Equal for pullbacks that lead to the same place.
  struct Key: Hashable, Sendable {
    let place: EffectID
    let source: ObjectIdentifier
  }

  /// `nil` if the child's state is its parent's.
  let key: Key?
  /// Whether a child's state can disappear, and end the child's effects.
  let mayDisappear: Bool
  let makeBranch: @Sendable () -> ChildBranch

  init(_ key: Key?, mayDisappear: Bool, _ makeBranch: @escaping @Sendable () -> ChildBranch) {
    self.key = key
    self.mayDisappear = mayDisappear
    self.makeBranch = makeBranch
  }
}

/// The `id` of a state.
// Unchecked. Sound: it is immutable, and a part of a store's state, which is sendable.
struct ChildIdentity: Hashable, @unchecked Sendable {
  let value: AnyHashable
}
