/// The context of a running reducer: its place in the store's tree of reducers, and the current scope.
struct ReducerContext {
  let place: ReducerPlace
  let scope: DependencyScope
  /// Whether a store runs the effects, so that they end with the state of a child.
  var isOfStore = true

  /// The context of a pullback below this one.
  func child(of pullback: Pullback) -> ReducerContext {
    ReducerContext(place: place.child(of: pullback), scope: scope, isOfStore: isOfStore)
  }
}

/// One store's environment at one place in its tree of reducers.
///
/// Reducers are values that any number of stores share, and that live as long as the program; what
/// is created for a store is freed with the store. One pullback may occur at several places, below
/// parents in different scopes.
final class ReducerPlace {
  private var children: [ObjectIdentifier: ReducerPlace] = [:]
  private var created: (environment: Any, scope: DependencyScope)?

  /// The place of a pullback below this one.
  func child(of pullback: Pullback) -> ReducerPlace {
    if let child = children[pullback.id] { return child }
    let child = ReducerPlace()
    children[pullback.id] = child
    return child
  }

  /// The environment of this place, created in the current scope at the first access.
  func environment<Environment: DependencyEnvironment>(in scope: DependencyScope) -> Environment {
    if let created, created.scope.identity == scope.identity {
      return created.environment as! Environment
    }
    let environment = Environment()
    created = (environment, scope)
    return environment
  }
}

/// The source of a child's environment in a pullback, which also runs the child in its scope.
struct ChildEnvironment<Parent: Sendable, Child: Sendable>: Sendable {
  private let environment: @Sendable (Parent, ReducerContext) -> Child
  private let scope = EnvironmentScope<Child>()

  /// Takes the environment from the parent's.
  init(_ environment: @escaping @Sendable (Parent) -> Child) {
    self.environment = { parent, _ in environment(parent) }
  }

  /// Creates the environment in the parent's scope.
  init() where Child: DependencyEnvironment {
    environment = { _, context in context.place.environment(in: context.scope) }
  }

  /// - Parameter outside: The place of the child, in the parent's scope.
  func run<Action>(
    _ parent: Parent, _ outside: ReducerContext,
    _ reduce: (Child, ReducerContext) -> Effect<Action>
  ) -> Effect<Action> {
    let child = environment(parent, outside)
    guard let scope = scope.of(child) else { return reduce(child, outside) }
    let inside = ReducerContext(
      place: outside.place, scope: scope, isOfStore: outside.isOfStore)
    return scope.run { reduce(child, inside) }.scoped(to: scope)
  }
}

/// The scope of environments of a type, if they have one.
///
/// Looked up once, not at each action.
struct EnvironmentScope<Environment>: Sendable {
  private let read: (@Sendable (Environment) -> DependencyScope)?

  init() {
    read = (Environment.self as? any ScopeCapturing.Type).map { Self.reader($0) }
  }

  /// The scope to enter for an environment; `nil` if it has none.
  func of(_ environment: Environment) -> DependencyScope? {
    read?(environment)
  }

  private static func reader<Scoped: ScopeCapturing>(
    _ type: Scoped.Type
  ) -> @Sendable (Environment) -> DependencyScope {
    { ($0 as! Scoped).scope }
  }
}
