extension DependencyScope {
  /// The overrides that were set on the environment of a type that captured this scope.
  package func overrides(setOn environment: Any.Type) -> [Override] {
    guard let own = Unretained.optional(node)?.own?.object,
      own.environment == ObjectIdentifier(environment)
    else { return [] }
    return own.overrides
  }

  /// Creates an environment in this scope, with overrides that belong to it.
  ///
  /// - Returns: The environment, and whether it captured this scope.
  package func create<Environment>(
    with own: [Override], _ create: () -> Environment, scope: (Environment) -> DependencyScope
  ) -> (Environment, hasCaptured: Bool) {
    let environment =
      own.isEmpty
      ? run(create)
      : CurrentScope.create(
        in: ScopeNode.own(
          EnvironmentOverrides(around: node.entered()!, of: Environment.self, overrides: own)),
        create)
    return (environment, scope(environment).identity == identity)
  }
}
