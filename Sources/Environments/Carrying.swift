internal import ComposableDependencies
internal import Synchronization

extension ScopeCapturing {
  /// Copies the derived environments that were assigned to `original` to `copy`.
  ///
  /// Code can't write to the wrappers of a fresh struct of unknown type, but reflection reaches
  /// their cells. That is slow, so it's done only for environments that derive a type assigned
  /// somewhere.
  func carryDerivedEnvironments(from original: Self, to copy: Self) {
    guard AssignedEnvironments.mayBeAssigned(in: original) else { return }
    for (old, new) in zip(Mirror(reflecting: original).children, Mirror(reflecting: copy).children)
    {
      guard let wrapper = old.value as? any DerivedWrapper else { continue }
      wrapper.carry(to: new.value)
    }
  }
}

/// A `DerivedEnvironment` of any type.
package protocol DerivedWrapper {
  var environmentType: ObjectIdentifier { get }
  /// Whether a child was assigned after the parent was created.
  var isAssigned: Bool { get }
  func carry(to other: Any)
  /// The child, created if there is none.
  var anyEnvironment: any DependencyEnvironment { get }
}

extension DerivedEnvironment: DerivedWrapper {
  package var environmentType: ObjectIdentifier { ObjectIdentifier(Environment.self) }

  package var isAssigned: Bool { cell.isAssigned }

  package var anyEnvironment: any DependencyEnvironment { wrappedValue }

  var existing: Environment? { cell.existing }

  package func carry(to other: Any) {
    guard let other = other as? Self else { return }
    cell.carry(to: other.cell)
  }
}
