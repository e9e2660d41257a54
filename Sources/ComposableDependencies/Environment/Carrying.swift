internal import Synchronization

extension ScopeCapturing {
  /// Copies the derived environments that were assigned to `original` to `copy`.
  ///
  /// Code can't write to the wrappers of a fresh struct of unknown type, but reflection reaches
  /// their cells. That is slow, so it's done only for environments that derive a type assigned
  /// somewhere.
  func carryDerivedEnvironments(from original: Self, to copy: Self, at location: SourceLocation) {
    guard AssignedEnvironments.mayBeAssigned(in: original) else { return }
    for (old, new) in zip(Mirror(reflecting: original).children, Mirror(reflecting: copy).children)
    {
      guard let wrapper = old.value as? any DerivedWrapper else { continue }
      wrapper.carry(to: new.value)
    }
  }
}

/// The types of derived environments that were ever assigned, and the environments that derive
/// them.
enum AssignedEnvironments {
  private static let assigned = GlobalKeys()
  /// The types that each type of environment derives.
  private static let derived = Mutex<[ObjectIdentifier: [ObjectIdentifier]]>([:])

  static func insert(_ type: any DependencyEnvironment.Type) {
    assigned.insert([ObjectIdentifier(type)], areAliased: false)
  }

  static var isAnyAssigned: Bool { !assigned.isEmpty }

  fileprivate static func mayBeAssigned<Environment>(in environment: Environment) -> Bool {
    guard isAnyAssigned else { return false }
    return derivedTypes(of: environment).contains { assigned.use(of: $0) != .none }
  }

  private static func derivedTypes<Environment>(of environment: Environment) -> [ObjectIdentifier] {
    let id = ObjectIdentifier(Environment.self)
    if let types = derived.withLock({ $0[id] }) { return types }
    let types = Mirror(reflecting: environment).children.compactMap {
      ($0.value as? any DerivedWrapper)?.environmentType
    }
    derived.withLock { $0[id] = types }
    return types
  }
}

/// A `DerivedEnvironment` of any type.
protocol DerivedWrapper {
  var environmentType: ObjectIdentifier { get }
  /// Whether a child was assigned after the parent was created.
  var isAssigned: Bool { get }
  func carry(to other: Any)
  /// The child, created if there is none.
  var anyEnvironment: any DependencyEnvironment { get }
  /// The child, if it was created already.
  var existingEnvironment: (any DependencyEnvironment)? { get }
}

extension DerivedEnvironment: DerivedWrapper {
  var environmentType: ObjectIdentifier { ObjectIdentifier(Environment.self) }

  var isAssigned: Bool { cell.isAssigned }

  var anyEnvironment: any DependencyEnvironment { wrappedValue }

  var existingEnvironment: (any DependencyEnvironment)? { existing }

  var existing: Environment? { cell.existing }

  func carry(to other: Any) {
    guard let other = other as? Self else { return }
    cell.carry(to: other.cell)
  }
}
