/// The overrides that were set on an environment itself.
///
/// The environment's scope has them, in a node that only the environment captures: to run code in that
/// scope is to enter the one around it. So another environment that is created there owns nothing.
final class EnvironmentOverrides: Sendable {
  /// The scope with the same overrides, which belongs to no environment.
  let around: Unretained<ScopeNode>
  private let scope: ScopeNode
  let environment: ObjectIdentifier
  let overrides: [Override]

  /// - Parameter environment: The type of the environment.
  init(around scope: ScopeNode, of environment: Any.Type, overrides: [Override]) {
    around = Unretained(scope)
    self.scope = scope
    self.environment = ObjectIdentifier(environment)
    self.overrides = overrides
  }
}

extension ScopeNode? {
  /// The scope that code enters to run in this one.
  consuming func entered() -> ScopeNode? {
    guard let around = Unretained.optional(self)?.around else { return self }
    // The node owns what belongs to it.
    return withExtendedLifetime(self) { around.object }
  }
}
