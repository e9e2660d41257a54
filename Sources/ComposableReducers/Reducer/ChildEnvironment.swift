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
    environment = { _, context in context.place.environment(in: context.scope) }
  }

  @inlinable
  func run<Action>(
    _ parent: Parent, _ context: ReducerContext,
    _ reduce: (Child, ReducerContext) -> Effect<Action>
  ) -> Effect<Action> {
    let place = context.place.child(of: pullback)
    let outside = context.scope
    let child = environment(parent, ReducerContext(place: place, scope: outside))
    guard let scope = scope.of(child) else {
      return reduce(child, ReducerContext(place: place, scope: outside))
    }
    let inside = scope.inForce
    return inside.run(from: outside) {
      reduce(child, ReducerContext(place: place, scope: inside))
    }.scoped(to: inside)
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
