internal import Synchronization

/// The overrides that were set on an environment itself, for the scope that it captures.
///
/// While the library recreates the environment, each value that captures the scope gets an object of
/// its own, because `init()` may create other environments of the same type. The overrides belong to
/// the environment that `init()` returns.
@usableFromInline
final class EnvironmentOverrides: Sendable {
  private let environment: ObjectIdentifier
  private let overrides: [Override]
  /// Whether the environment that was created has captured this.
  private let isOwned = Atomic(false)

  fileprivate init(_ overrides: [Override], of environment: Any.Type) {
    self.environment = ObjectIdentifier(environment)
    self.overrides = overrides
  }

  init(like other: EnvironmentOverrides) {
    environment = other.environment
    overrides = other.overrides
  }

  fileprivate func overrides(of environment: Any.Type) -> [Override] {
    isOwned.load(ordering: .acquiring) && self.environment == ObjectIdentifier(environment)
      ? overrides : []
  }

  /// Gives the overrides to the environment of a type that has captured this.
  fileprivate func give(to environment: Any.Type) {
    if self.environment == ObjectIdentifier(environment) {
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
    let environment = CurrentScope.create(
      in: node, EnvironmentOverrides(own, of: Environment.self), create)
    let captured = scope(environment)
    guard captured.identity == identity, let own = captured.own else { return (environment, false) }
    own.give(to: Environment.self)
    return (environment, true)
  }

  /// The current scope, without the overrides of an environment that is being created.
  package static var entered: DependencyScope { DependencyScope(node: CurrentScope.node) }
}
