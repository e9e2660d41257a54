/// What one store keeps for one place in its tree of reducers: the environment made for it.
///
/// Reducers are values that any number of stores share, and that live as long as the program; what
/// is made for a store goes with it. One pullback may stand in several places, below parents in
/// different scopes: each place has a context of its own.
@usableFromInline
final class ReducerContext {
  /// Tells pullbacks apart.
  @usableFromInline
  final class Pullback: Sendable {
    @usableFromInline init() {}
  }

  private final class Made<Environment> {
    let scope: DependencyScope
    let environment: Environment

    init(_ environment: Environment, in scope: DependencyScope) {
      self.environment = environment
      self.scope = scope
    }
  }

  private var made: AnyObject?
  private var children: [(pullback: Pullback, context: ReducerContext)] = []

  init() {}

  /// The place of a pullback below this one.
  @usableFromInline
  func child(of pullback: Pullback) -> ReducerContext {
    for child in children where child.pullback === pullback { return child.context }
    let context = ReducerContext()
    children.append((pullback, context))
    return context
  }

  /// The environment of this place, made in the current scope when it is asked for first.
  @usableFromInline
  func environment<Environment: DependencyEnvironment>() -> Environment {
    let scope = DependencyScope.current
    if let made = made as? Made<Environment>, made.scope.isSame(as: scope) {
      return made.environment
    }
    let environment = Environment()
    made = Made(environment, in: scope)
    return environment
  }
}
