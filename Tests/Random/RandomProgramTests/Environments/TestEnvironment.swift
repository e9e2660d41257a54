import ComposableEnvironment

/// An environment of the programs.
protocol TestEnvironment: DependencyEnvironment {
  /// The values of the dependencies that it declares.
  var declared: [Int] { get }
  /// The value of a dependency, read by its name.
  func value(_ path: Key.Path, byMember: Bool) -> Int
  static var slots: [Slot<Self>] { get }
}

/// A derived environment of an environment.
struct Slot<Parent>: Sendable {
  let get: @Sendable (Parent) -> any TestEnvironment
  let set: @Sendable (inout Parent, any TestEnvironment) -> Void

  init<Child: TestEnvironment>(_ child: any WritableKeyPath<Parent, Child> & Sendable) {
    get = { $0[keyPath: child] }
    set = { $0[keyPath: child] = $1 as! Child }
  }
}

extension TestEnvironment {
  func derived(_ slots: some Sequence<Int>) -> any TestEnvironment {
    slots.reduce(self as any TestEnvironment) { $0.derived($1) }
  }

  private func derived(_ slot: Int) -> any TestEnvironment {
    Self.slots[slot].get(self)
  }

  /// Changes a derived environment in place, like `parent.child.grandchild[\.key] = value`.
  mutating func updateDerived(
    _ slots: ArraySlice<Int>, _ update: (any TestEnvironment) -> any TestEnvironment
  ) {
    let slot = Self.slots[slots.first!]
    var child = slot.get(self)
    if slots.count == 1 {
      child = update(child)
    } else {
      child.updateDerived(slots.dropFirst(), update)
    }
    slot.set(&self, child)
  }
}
