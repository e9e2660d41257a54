/// Where a pullback has the child's environment from, and how it runs the child in its scope.
@usableFromInline
struct ChildEnvironment<Parent: Sendable, Child: Sendable>: Sendable {
  @usableFromInline let environment: @Sendable (Parent, ReducerContext) -> Child
  @usableFromInline let scope = EnvironmentScope<Child>()
  @usableFromInline let pullback = ReducerPlace.Pullback()

  /// Asks the parent's environment.
  @inlinable
  init(_ environment: @escaping @Sendable (Parent) -> Child) {
    self.environment = { parent, _ in environment(parent) }
  }

  /// Makes one in the scope of the parent.
  @inlinable
  init() where Child: DependencyEnvironment {
    environment = { _, context in
      unsafe context.place._withUnsafeGuaranteedRef { $0.environment(in: context.scope) }
    }
  }

  @inlinable
  func run<Action>(
    _ parent: Parent, _ context: ReducerContext,
    _ reduce: (Child, ReducerContext) -> Effect<Action>
  ) -> Effect<Action> {
    let outside = context.child(of: pullback)
    let child = environment(parent, outside)
    guard let identity = scope.identity(of: child) else { return reduce(child, outside) }
    let inside = outside.inside(identity) { scope.of(child)! }
    return inside.scope.run(from: outside.scope) { reduce(child, inside) }.scoped(to: inside.scope)
  }
}

/// The scope of environments of a type, if they have one; looked up once, not at each action.
@usableFromInline
struct EnvironmentScope<Environment>: Sendable {
  @usableFromInline let read: (@Sendable (Environment) -> DependencyScope)?
  @usableFromInline let readIdentity: (@Sendable (Environment) -> UInt)?

  @inlinable
  init() {
    let type = Environment.self as? any ScopeCapturing.Type
    read = type.map { Self.reader($0) }
    readIdentity = type.map { Self.identityReader($0) }
  }

  @inlinable
  func of(_ environment: Environment) -> DependencyScope? {
    read?(environment)
  }

  /// Costs less than the scope, which would have to be retained.
  @inlinable
  func identity(of environment: Environment) -> UInt? {
    readIdentity?(environment)
  }

  // `Scoped` is `Environment`, which the type system has forgotten.

  @inlinable
  static func reader<Scoped: ScopeCapturing>(
    _ type: Scoped.Type
  ) -> @Sendable (Environment) -> DependencyScope {
    { unsafe unsafeBitCast($0, to: Scoped.self).scope }
  }

  @inlinable
  static func identityReader<Scoped: ScopeCapturing>(
    _ type: Scoped.Type
  ) -> @Sendable (Environment) -> UInt {
    { unsafe unsafeBitCast($0, to: Scoped.self).scope.identity }
  }
}
