internal import Synchronization

/// The types of derived environments that were ever assigned, and the environments that derive
/// them.
///
/// A lookup takes no lock once an environment of the same type was looked up.
enum AssignedEnvironments {
  private static let assigned = GlobalKeys()
  /// The environments whose derived types are known.
  private static let known = GlobalKeys()
  /// The environments that derive a type that was assigned.
  private static let affected = GlobalKeys()
  /// The types that each type of environment derives.
  private static let derived = Mutex<[ObjectIdentifier: Set<ObjectIdentifier>]>([:])

  static var isAnyAssigned: Bool { !assigned.isEmpty }

  static func insert(_ type: any DependencyEnvironment.Type) {
    let id = ObjectIdentifier(type)
    if assigned.use(of: id) != .none { return }
    // Under the lock, so that an environment whose types are being found is in the list, or finds
    // that this type is assigned.
    derived.withLock { derived in
      assigned.insert([id], areAliased: false)
      affected.insert(derived.filter { $0.value.contains(id) }.keys, areAliased: false)
    }
  }

  static func mayBeAssigned<Environment>(in environment: Environment) -> Bool {
    guard isAnyAssigned else { return false }
    let id = ObjectIdentifier(Environment.self)
    if known.use(of: id) == .none { learn(id, derivedTypes(of: environment)) }
    return affected.use(of: id) != .none
  }

  /// Whether one of the types was assigned.
  static func isAssigned(oneOf types: some Sequence<ObjectIdentifier>) -> Bool {
    types.contains { assigned.use(of: $0) != .none }
  }

  private static func learn(_ id: ObjectIdentifier, _ types: Set<ObjectIdentifier>) {
    derived.withLock { derived in
      derived[id] = types
      if isAssigned(oneOf: types) { affected.insert([id], areAliased: false) }
      known.insert([id], areAliased: false)
    }
  }

  private static func derivedTypes<Environment>(
    of environment: Environment
  ) -> Set<ObjectIdentifier> {
    Set(
      Mirror(reflecting: environment).children.compactMap {
        ($0.value as? any DerivedWrapper)?.environmentType
      })
  }
}
