/// Where a reducer runs: in which scope, and at which place in a store's tree of reducers.
@usableFromInline
struct ReducerContext {
  @usableFromInline let place: ReducerPlace
  /// The current scope.
  @usableFromInline let scope: DependencyScope

  @inlinable
  init(place: ReducerPlace, scope: DependencyScope) {
    self.place = place
    self.scope = scope
  }

  /// At the root of a store that reduces in `scope`.
  @inlinable
  init(in scope: DependencyScope) {
    self.init(place: ReducerPlace(), scope: scope.inForce)
  }
}

/// What one store keeps for one place in its tree of reducers: the environment made for it.
///
/// Reducers are values that any number of stores share, and that live as long as the program; what
/// is made for a store goes with it. One pullback may stand in several places, below parents in
/// different scopes.
@usableFromInline
final class ReducerPlace {
  /// Tells pullbacks apart.
  @usableFromInline
  final class Pullback: Sendable {
    @usableFromInline init() {}
  }

  /// Of a type that need not be looked up, as that of what holds the environment is.
  @usableFromInline
  class AnyMade {
    @usableFromInline let scope: DependencyScope
    @usableFromInline init(in scope: DependencyScope) { self.scope = scope }
  }

  @usableFromInline
  final class Made<Environment>: AnyMade {
    @usableFromInline let environment: Environment

    @inlinable
    init(_ environment: Environment, in scope: DependencyScope) {
      self.environment = environment
      super.init(in: scope)
    }
  }

  private let pullback: Pullback?
  /// The next one below the same parent.
  private let next: ReducerPlace?
  private var firstChild: ReducerPlace?
  @usableFromInline var made: AnyMade?

  @usableFromInline
  init() {
    pullback = nil
    next = nil
  }

  private init(_ pullback: Pullback, next: ReducerPlace?) {
    self.pullback = pullback
    self.next = next
  }

  /// The place of a pullback below this one.
  @usableFromInline
  func child(of pullback: Pullback) -> ReducerPlace {
    // By far the most have one, or the same one again.
    if let firstChild, firstChild.pullback === pullback { return firstChild }
    var child = firstChild
    while let candidate = child {
      if candidate.pullback === pullback { return candidate }
      child = candidate.next
    }
    let place = ReducerPlace(pullback, next: firstChild)
    firstChild = place
    return place
  }

  /// The environment of this place, made in the current scope when it is asked for first.
  ///
  /// - Parameter scope: The current scope.
  @inlinable
  func environment<Environment: DependencyEnvironment>(in scope: DependencyScope) -> Environment {
    if let made, made.scope.isSame(as: scope) {
      // Sound, because a place is that of one pullback, which asks for one type.
      return unsafe unsafeDowncast(made, to: Made<Environment>.self).environment
    }
    let environment = Environment()
    made = Made(environment, in: scope)
    return environment
  }
}
