/// Where a pullback has the child's environment from, and how it runs the child in its scope.
@usableFromInline
struct ChildEnvironment<Parent: Sendable, Child: Sendable>: Sendable {
  @usableFromInline let environment: @Sendable (Parent, ReducerContext) -> Child
  @usableFromInline let scope = EnvironmentScope<Child>()
  @usableFromInline let pullback = ReducerContext.Pullback()

  /// Asks the parent's environment.
  @inlinable
  init(_ environment: @escaping @Sendable (Parent) -> Child) {
    self.environment = { parent, _ in environment(parent) }
  }

  /// Makes one in the scope of the parent.
  @inlinable
  init() where Child: DependencyEnvironment {
    environment = { _, context in context.environment() }
  }

  @inlinable
  func run<Action>(
    _ parent: Parent, _ context: ReducerContext,
    _ reduce: (Child, ReducerContext) -> Effect<Action>
  ) -> Effect<Action> {
    let context = context.child(of: pullback)
    let child = environment(parent, context)
    guard let scope = scope.of(child) else { return reduce(child, context) }
    return scope.run { reduce(child, context) }.scoped(to: scope)
  }
}

/// The scope of environments of a type, if they have one; looked up once, not at each action.
@usableFromInline
struct EnvironmentScope<Environment>: Sendable {
  @usableFromInline let read: (@Sendable (Environment) -> DependencyScope)?

  @inlinable
  init() {
    guard let type = Environment.self as? any ScopeCapturing.Type else {
      read = nil
      return
    }
    read = Self.reader(type)
  }

  @inlinable
  func of(_ environment: Environment) -> DependencyScope? {
    read?(environment)
  }

  @inlinable
  static func reader<Scoped: ScopeCapturing>(
    _ type: Scoped.Type
  ) -> @Sendable (Environment) -> DependencyScope {
    // `Scoped` is `Environment`, which the type system has forgotten.
    { unsafe unsafeBitCast($0, to: Scoped.self).scope }
  }
}
