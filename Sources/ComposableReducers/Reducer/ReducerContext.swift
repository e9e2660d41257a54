/// The context of a running reducer: the environments that its store created, and the current scope.
@frozen
@usableFromInline
struct ReducerContext {
  /// `nil` without a store.
  @usableFromInline let environments: StoreEnvironments?
  @usableFromInline let scope: DependencyScope

  @inlinable
  init(environments: StoreEnvironments?, scope: DependencyScope) {
    self.environments = environments
    self.scope = scope
  }

  /// Whether a store runs the effects, so that they end with the state of a child.
  var isOfStore: Bool { environments != nil }

  /// Whether code in this context runs in a scope already.
  @usableFromInline
  func isIn(_ scope: DependencyScope) -> Bool { self.scope.identity == scope.identity }

  /// The context of a pullback below this one.
  @inlinable
  func child(of pullback: Pullback) -> ReducerContext {
    ReducerContext(environments: environments?.child(of: pullback), scope: scope)
  }
}

/// The environment that a store created for one of its pullbacks, and those for the pullbacks below.
///
/// Reducers are values that any number of stores share, and that live as long as the program; what
/// is created for a store is freed with the store. One pullback may occur below several others, in
/// different scopes.
@usableFromInline
final class StoreEnvironments {
  private var children: [ObjectIdentifier: StoreEnvironments] = [:]
  /// The environment of this pullback, a `CreatedEnvironment`.
  @usableFromInline var created: AnyObject?

  /// The environments of a pullback below this one.
  @usableFromInline
  func child(of pullback: Pullback) -> StoreEnvironments {
    let id = ObjectIdentifier(pullback)
    if let child = children[id] { return child }
    let child = StoreEnvironments()
    children[id] = child
    return child
  }

  /// The environment of this pullback, created in the current scope at the first access.
  @inlinable
  func environment<Environment: DependencyEnvironment>(
    in context: ReducerContext
  ) -> Environment {
    if let created = created as? CreatedEnvironment<Environment>, context.isIn(created.scope) {
      return created.environment
    }
    let environment = Environment()
    created = CreatedEnvironment(environment, in: context.scope)
    return environment
  }
}

/// An environment that a pullback created in a scope.
// An object, because a cast from `Any` takes longer than three pullbacks.
@usableFromInline
final class CreatedEnvironment<Environment> {
  @usableFromInline let environment: Environment
  @usableFromInline let scope: DependencyScope

  @usableFromInline
  init(_ environment: Environment, in scope: DependencyScope) {
    self.environment = environment
    self.scope = scope
  }
}

/// The source of a child's environment in a pullback, which also runs the child in its scope.
@frozen
@usableFromInline
struct ChildEnvironment<Parent: Sendable, Child: Sendable>: Sendable {
  @usableFromInline let environment: @Sendable (Parent, ReducerContext) -> Child
  /// Returns the scope of a child's environment; `nil` if environments of the type have none.
  ///
  /// Looked up once, not at each action.
  @usableFromInline let scope: (@Sendable (Child) -> DependencyScope)?

  /// Takes the environment from the parent's.
  @inlinable
  init(_ environment: @escaping @Sendable (Parent) -> Child) {
    self.environment = { parent, _ in environment(parent) }
    scope = Self.scope()
  }

  /// Creates the environment in the parent's scope.
  @inlinable
  init() where Child: DependencyEnvironment {
    environment = { _, context in
      context.environments?.environment(in: context) ?? Child()
    }
    scope = Self.scope()
  }

  /// - Parameter outside: The context of the child's pullback, in the parent's scope.
  @inlinable
  func run<Action>(
    _ parent: Parent, _ outside: ReducerContext,
    _ reduce: (Child, ReducerContext) -> Effect<Action>
  ) -> Effect<Action> {
    let child = environment(parent, outside)
    guard let scope = scope?(child), !outside.isIn(scope) else { return reduce(child, outside) }
    let inside = ReducerContext(environments: outside.environments, scope: scope)
    return ReducerScope.run(in: scope) { reduce(child, inside) }.wrapped { $0.scoped(to: scope) }
  }

  @inlinable
  static func scope() -> (@Sendable (Child) -> DependencyScope)? {
    guard let type = Child.self as? any ScopeCapturing.Type else { return nil }
    return scope(of: type)
  }

  @inlinable
  static func scope<Capturing: ScopeCapturing>(
    of type: Capturing.Type
  ) -> @Sendable (Child) -> DependencyScope {
    { ($0 as! Capturing).scope }
  }
}
