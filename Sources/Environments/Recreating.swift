package import ComposableDependencies
internal import Synchronization

extension ScopeCapturing {
  /// Recreates this environment in its own scope, with more overrides.
  package func recreated(
    fileID: StaticString, line: UInt, overriding update: (inout Dependencies) -> Void
  ) -> Self {
    let (scope, place) = (scope, SourcePlace(fileID: fileID, line: line))
    let updated = scope.with(at: place, update)
    let added = updated.overrides(addedTo: scope)
    let own = scope.overrides(setOn: type(of: self))
    // The update has replaced these, or the whole scope.
    let lost = own.isEmpty ? [] : scope.overrides(addedTo: updated)
    let kept = own.filter { old in !lost.contains { $0 === old } }
    return recreated(in: updated, kept.isEmpty ? added : kept + added, at: place)
  }

  /// Recreates this environment below a parent, with the overrides set on itself.
  ///
  /// Returns `self` if that is the scope it already captured.
  func recreated(below parent: DependencyScope, at place: SourcePlace) -> Self {
    if scope.identity == parent.identity { return self }
    let own = scope.overrides(setOn: type(of: self))
    return recreated(in: parent.with(own), own, at: place)
  }

  private func recreated(
    in scope: DependencyScope, _ own: [Override], at place: SourcePlace
  ) -> Self {
    // A subclass stays one, whatever type the caller knows.
    let type = type(of: self)
    let copy = type.made(in: scope, with: own, at: place) {
      var copy = type.init()
      carryDerivedEnvironments(to: copy)
      copy.adopt(from: self)
      return copy
    }
    #if DEBUG
      Self.reportLostProperties(from: self, to: copy, at: place)
    #endif
    return copy
  }

  /// Creates an environment in a scope.
  static func made(in scope: DependencyScope, at place: SourcePlace) -> Self {
    made(in: scope, with: [], at: place) { Self() }
  }

  /// Creates an environment in a scope, with the overrides that belong to it.
  private static func made(
    in scope: DependencyScope, with own: [Override], at place: SourcePlace, _ create: () -> Self
  ) -> Self {
    let environment = scope.create(of: self, with: own, create)
    #if DEBUG
      if environment.scope.identity != scope.identity { reportScopeNotCaptured(at: place) }
    #endif
    return environment
  }
}

// MARK: - Carrying over derived environments

extension ScopeCapturing {
  /// Copies the derived environments that were assigned to this environment.
  ///
  /// Code can't write to the wrappers of a fresh struct of unknown type, but reflection reaches
  /// their cells. That is slow, so it's done only for environments that derive a type assigned
  /// somewhere.
  private func carryDerivedEnvironments(to copy: Self) {
    guard AssignedEnvironments.mayBeAssigned(in: self) else { return }
    for (old, new) in zip(storedProperties(of: self), storedProperties(of: copy)) {
      (old.value as? any DerivedWrapper)?.carry(to: new.value)
    }
  }
}

/// A `DerivedEnvironment` of any type.
package protocol DerivedWrapper {
  var environmentType: ObjectIdentifier { get }
  func carry(to other: Any)
  /// The child, created if there is none.
  var anyEnvironment: any DependencyEnvironment { get }
}

extension DerivedEnvironment: DerivedWrapper {
  package var environmentType: ObjectIdentifier { ObjectIdentifier(Environment.self) }

  package var anyEnvironment: any DependencyEnvironment { wrappedValue }

  package func carry(to other: Any) {
    guard let other = other as? Self else { return }
    cell.carry(to: other.cell)
  }
}

/// The types of derived environments that were ever assigned, so that an environment that derives none
/// of them needs no reflection to be recreated.
enum AssignedEnvironments {
  private static let isAnyAssigned = Atomic(false)
  private static let assigned = Mutex<Set<ObjectIdentifier>>([])

  static func insert(_ type: any DependencyEnvironment.Type) {
    assigned.withLock { _ = $0.insert(ObjectIdentifier(type)) }
    isAnyAssigned.store(true, ordering: .releasing)
  }

  static func mayBeAssigned(in environment: some DependencyEnvironment) -> Bool {
    guard isAnyAssigned.load(ordering: .acquiring) else { return false }
    let derived = EnvironmentShape.of(environment).derived
    return assigned.withLock { !$0.isDisjoint(with: derived) }
  }
}

/// What reflection finds out about a type of environment, once.
///
/// It finds nothing in an actor, whose state another task may be changing.
struct EnvironmentShape {
  /// The types of environments that it derives.
  let derived: Set<ObjectIdentifier>
  /// Whether it has equatable properties, which recreating it may lose.
  let isComparable: Bool

  private static let known = Mutex<[ObjectIdentifier: EnvironmentShape]>([:])

  static func of<Environment: DependencyEnvironment>(
    _ environment: Environment
  ) -> EnvironmentShape {
    let id = ObjectIdentifier(type(of: environment))
    if let shape = known.withLock({ $0[id] }) { return shape }
    let values = environment is any Actor ? [] : storedProperties(of: environment).map(\.value)
    let shape = EnvironmentShape(
      derived: Set(values.compactMap { ($0 as? any DerivedWrapper)?.environmentType }),
      isComparable: values.contains { $0 is any Equatable && !($0 is any DependencyEnvironment) })
    known.withLock { $0[id] = shape }
    return shape
  }
}

/// The stored properties of a value and of its superclasses.
package func storedProperties(of value: Any) -> [Mirror.Child] {
  let mirrors = sequence(first: Mirror(reflecting: value), next: \.superclassMirror)
  return mirrors.flatMap { Array($0.children) }
}
