internal import Synchronization

/// The overrides that were set on an environment itself, for the scope that it captures.
///
/// While the library recreates the environment, each value that captures the scope gets an object of
/// its own, because `init()` may create other environments of the same type. The overrides belong to
/// the environment that `init()` returns.
@usableFromInline
final class EnvironmentOverrides: Sendable {
  /// The type of an environment that is being created, and the overrides that belong to it.
  struct Creation: Sendable {
    let environment: ObjectIdentifier
    let overrides: [Override]
  }

  private let creation: Creation
  /// Whether the environment that was created has captured this.
  private let isOwned = Atomic(false)

  init(capturedIn creation: Creation) {
    self.creation = creation
  }

  fileprivate func overrides(of environment: Any.Type) -> [Override] {
    isOwned.load(ordering: .acquiring) && creation.environment == ObjectIdentifier(environment)
      ? creation.overrides : []
  }

  /// Gives the overrides to the environment of a type that has captured this.
  fileprivate func give(to environment: Any.Type) {
    if creation.environment == ObjectIdentifier(environment) {
      isOwned.store(true, ordering: .releasing)
    }
  }
}

extension DependencyScope {
  /// The overrides that were set on the environment of a type that captured this scope.
  package func overrides(setOn environment: Any.Type) -> [Override] {
    own?.overrides(of: environment) ?? []
  }

  /// Creates an environment in this scope, with overrides that belong to it.
  ///
  /// - Returns: The environment, and whether it captured this scope.
  package func create<Environment>(
    with own: [Override], _ create: () -> Environment, scope: (Environment) -> DependencyScope
  ) -> (Environment, hasCaptured: Bool) {
    if own.isEmpty {
      let environment = run(create)
      return (environment, scope(environment).identity == identity)
    }
    let creation = EnvironmentOverrides.Creation(
      environment: ObjectIdentifier(Environment.self), overrides: own)
    let environment = CurrentScope.create(in: node, creation, create)
    let captured = scope(environment)
    guard captured.identity == identity, let own = captured.own else { return (environment, false) }
    own.give(to: Environment.self)
    return (environment, true)
  }

  /// The current scope, without the overrides of an environment that is being created.
  package static var entered: DependencyScope { DependencyScope(node: CurrentScope.node) }
}
