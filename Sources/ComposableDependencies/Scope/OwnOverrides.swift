internal import Synchronization

/// The overrides that were set on an environment itself, for the scope that it captures.
///
/// While the library recreates the environment, each value that captures the scope gets an object of
/// its own, because `init()` may create other environments of the same type. The overrides belong to
/// the environment that `init()` returns.
@usableFromInline
final class OwnOverrides: Sendable {
  private let environment: ObjectIdentifier
  private let overrides: [Override]
  /// What the scope was captured from.
  private let creation: OwnOverrides?
  /// Whether the environment is still being created, or has captured this.
  private let isInUse: Atomic<Bool>

  /// Overrides for an environment that is about to be created.
  init(of environment: Any.Type, _ overrides: [Override]) {
    self.environment = ObjectIdentifier(environment)
    self.overrides = overrides
    creation = nil
    isInUse = Atomic(true)
  }

  private init(capturing creation: OwnOverrides) {
    environment = creation.environment
    overrides = creation.overrides
    self.creation = creation
    isInUse = Atomic(false)
  }

  /// These overrides, for a value to capture while the environment is being created.
  var captured: OwnOverrides? {
    isInUse.load(ordering: .relaxed) ? OwnOverrides(capturing: self) : nil
  }

  /// Ends the creation of an environment.
  ///
  /// - Returns: Whether the environment captured the scope that it was created in.
  func end(creating scope: DependencyScope) -> Bool {
    isInUse.store(false, ordering: .relaxed)
    guard let own = scope.own, own.creation === self else { return false }
    own.isInUse.store(true, ordering: .releasing)
    return true
  }

  fileprivate func overrides(of environment: Any.Type) -> [Override] {
    isInUse.load(ordering: .acquiring) && self.environment == ObjectIdentifier(environment)
      ? overrides : []
  }
}

extension DependencyScope {
  /// The overrides that were set on the environment of a type that captured this scope.
  package func overrides(setOn environment: Any.Type) -> [Override] {
    own?.overrides(of: environment) ?? []
  }
}

extension DependencyScope {
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
    let creation = OwnOverrides(of: Environment.self, own)
    let environment = CurrentScope.create(in: node, creation, create)
    return (environment, creation.end(creating: scope(environment)))
  }

  /// The current scope, without the overrides of an environment that is being created.
  package static var entered: DependencyScope { DependencyScope(node: CurrentScope.node) }
}
