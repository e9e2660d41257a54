internal import Synchronization

/// The types of derived environments that were ever assigned, so that an environment that derives none
/// of them needs no reflection to be recreated.
enum AssignedEnvironments {
  private struct State {
    var assigned: Set<ObjectIdentifier> = []
    /// The types that each type of environment derives, once it was asked for.
    var derived: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]
  }

  private static let isAnyAssigned = Atomic(false)
  private static let state = Mutex(State())

  static func insert(_ type: any DependencyEnvironment.Type) {
    state.withLock { _ = $0.assigned.insert(ObjectIdentifier(type)) }
    isAnyAssigned.store(true, ordering: .releasing)
  }

  static func mayBeAssigned<Environment>(in environment: Environment) -> Bool {
    guard isAnyAssigned.load(ordering: .acquiring) else { return false }
    let id = ObjectIdentifier(Environment.self)
    if let derived = state.withLock({ $0.derived[id] }) { return isAssigned(oneOf: derived) }
    let derived = Set(
      Mirror(reflecting: environment).children.compactMap {
        ($0.value as? any DerivedWrapper)?.environmentType
      })
    state.withLock { $0.derived[id] = derived }
    return isAssigned(oneOf: derived)
  }

  /// Whether one of the types was assigned.
  static func isAssigned(oneOf types: Set<ObjectIdentifier>) -> Bool {
    state.withLock { !$0.assigned.isDisjoint(with: types) }
  }
}
