/// The context of a running reducer: its place in the store's tree of reducers, and the current scope.
@usableFromInline
struct ReducerContext {
  @usableFromInline let place: ReducerPlace
  @usableFromInline let scope: DependencyScope
  /// Whether a store runs the effects, so that they end with the state of a child.
  @usableFromInline let isOfStore: Bool

  @inlinable
  init(place: ReducerPlace, scope: DependencyScope, isOfStore: Bool = true) {
    self.place = place
    self.scope = scope
    self.isOfStore = isOfStore
  }

  /// The context of a pullback below this one.
  @inlinable
  func child(of pullback: Pullback) -> ReducerContext {
    ReducerContext(place: place.child(of: pullback), scope: scope, isOfStore: isOfStore)
  }
}

/// One store's environment at one place in its tree of reducers.
///
/// Reducers are values that any number of stores share, and that live as long as the program; what
/// is created for a store is freed with the store. One pullback may occur at several places, below
/// parents in different scopes.
@usableFromInline
final class ReducerPlace {
  private var children: [ObjectIdentifier: ReducerPlace] = [:]
  /// The environment of this place, a `CreatedEnvironment`.
  @usableFromInline var created: AnyObject?

  /// The place of a pullback below this one.
  @usableFromInline
  func child(of pullback: Pullback) -> ReducerPlace {
    if let child = children[pullback.id] { return child }
    let child = ReducerPlace()
    children[pullback.id] = child
    return child
  }

  /// The environment of this place, created in the current scope at the first access.
  @inlinable
  func environment<Environment: DependencyEnvironment>(in scope: DependencyScope) -> Environment {
    if let created = created as? CreatedEnvironment<Environment>, created.isOf(scope) {
      return created.environment
    }
    let environment = Environment()
    created = CreatedEnvironment(environment, in: scope)
    return environment
  }
}

/// An environment that a pullback created in a scope.
@usableFromInline
final class CreatedEnvironment<Environment> {
  @usableFromInline let environment: Environment
  private let scope: DependencyScope

  @usableFromInline
  init(_ environment: Environment, in scope: DependencyScope) {
    self.environment = environment
    self.scope = scope
  }

  @usableFromInline
  func isOf(_ scope: DependencyScope) -> Bool {
    self.scope.identity == scope.identity
  }
}

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
    environment = { _, context in context.place.environment(in: context.scope) }
  }

  /// - Parameter outside: The place of the child, in the parent's scope.
  @inlinable
  func run<Action>(
    _ parent: Parent, _ outside: ReducerContext,
    _ reduce: (Child, ReducerContext) -> Effect<Action>
  ) -> Effect<Action> {
    let child = environment(parent, outside)
    guard let scope = scope.of(child) else { return reduce(child, outside) }
    let inside = ReducerContext(
      place: outside.place, scope: scope, isOfStore: outside.isOfStore)
    return scope.run { reduce(child, inside) }.wrapped { $0.scoped(to: scope) }
  }
}

/// The scope of environments of a type, if they have one.
///
/// Looked up once, not at each action.
@usableFromInline
struct EnvironmentScope<Environment>: Sendable {
  @usableFromInline let read: (@Sendable (Environment) -> DependencyScope)?

  @inlinable
  init() {
    read = (Environment.self as? any ScopeCapturing.Type).map { Self.reader($0) }
  }

  /// The scope to enter for an environment; `nil` if it has none.
  @inlinable
  func of(_ environment: Environment) -> DependencyScope? {
    read?(environment)
  }

  @inlinable
  static func reader<Scoped: ScopeCapturing>(
    _ type: Scoped.Type
  ) -> @Sendable (Environment) -> DependencyScope {
    { ($0 as! Scoped).scope }
  }
}
