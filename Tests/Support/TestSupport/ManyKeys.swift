package import ComposableDependencies

/// As many keys as a test needs.
package enum ManyKeys {
  /// Zero and its successors, a type for each number.
  package struct Zero: Sendable {}
  package struct Next<Number: Sendable>: Sendable {}

  package enum Key<Number: Sendable>: DependencyKey {
    package static var defaultValue: Int { -1 }
  }

  package struct Member: Hashable, Sendable {
    package let number: Int
    let get: @Sendable (Dependencies) -> Int
    let set: @Sendable (inout Dependencies, Int) -> Void

    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  package static func first(_ count: Int) -> [Member] {
    members(from: 0, count: count, Zero.self)
  }

  private static func members<Number: Sendable>(
    from number: Int, count: Int, _ type: Number.Type
  ) -> [Member] {
    guard count > 0 else { return [] }
    let member = Member(
      number: number,
      get: { $0[Key<Number>.self] },
      set: { $0[Key<Number>.self] = $1 })
    return [member] + members(from: number + 1, count: count - 1, Next<Number>.self)
  }
}

extension Dependencies {
  package subscript(member member: ManyKeys.Member) -> Int {
    get { member.get(self) }
    set { member.set(&self, newValue) }
  }
}

extension DependencyScope {
  package subscript(member: ManyKeys.Member) -> Int {
    var value = 0
    run { withDependencies({ value = $0[member: member] }, operation: {}) }
    return value
  }

  package func with(_ member: ManyKeys.Member, _ value: Int) -> DependencyScope {
    run { withDependencies({ $0[member: member] = value }, operation: { .current }) }
  }
}
