/// The source of a child's environment in a pullback, which also runs the child in its scope.
@usableFromInline
struct ChildEnvironment<Parent: Sendable, Child: Sendable>: Sendable {
  @usableFromInline let environment: @Sendable (Parent, ReducerContext) -> Child
  @usableFromInline let scope = EnvironmentScope<Child>()

  /// Takes the environment from the parent's.
  @inlinable
  init(_ environment: @escaping @Sendable (Parent) -> Child) {
    self.environment = { parent, _ in environment(parent) }
  }

  /// Creates the environment in the parent's scope.
  @inlinable
  init() where Child: DependencyEnvironment {
    environment = { _, context in
      unsafe context.place._withUnsafeGuaranteedRef { $0.environment(in: context.scope) }
    }
  }

  /// - Parameter outside: The place of the child, in the parent's scope.
  @inlinable
  func run<Action>(
    _ parent: Parent, _ outside: ReducerContext,
    _ reduce: (Child, ReducerContext) -> Effect<Action>
  ) -> Effect<Action> {
    let child = environment(parent, outside)
    guard let identity = scope.identity(of: child) else { return reduce(child, outside) }
    let inside = outside.inside(identity) { scope.of(child)! }
    return inside.scope.run(from: outside.scope) { reduce(child, inside) }.scoped(to: inside.scope)
  }
}

/// The scope of environments of a type, if they have one.
///
/// Looked up once, not at each action.
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

  /// Costs less than the scope, which would be retained.
  @inlinable
  func identity(of environment: Environment) -> UInt? {
    readIdentity?(environment)
  }

  // `Scoped` is `Environment`, but the type system has lost that.

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
