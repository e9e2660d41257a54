/// What one store keeps for one place in its tree of reducers: the environment made for it, and the
/// scope in which it runs.
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

  /// The scope that an environment captured, and the same as it is in force.
  private struct KeptScope {
    let captured: DependencyScope
    let inForce: DependencyScope
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
  private var scope: KeptScope?

  @usableFromInline
  init() {
    pullback = nil
    next = nil
  }

  private init(_ pullback: Pullback, next: ReducerPlace?) {
    self.pullback = pullback
    self.next = next
  }

  /// The place of a pullback below this one, which keeps it.
  @usableFromInline
  func child(of pullback: Pullback) -> Unmanaged<ReducerPlace> {
    // By far the most have one, or the same one again. Bit-cast, because unwrapping it would retain it.
    if let first = unsafe unsafeBitCast(firstChild, to: Unmanaged<ReducerPlace>?.self),
      unsafe first._withUnsafeGuaranteedRef({ $0.pullback === pullback })
    {
      return unsafe first
    }
    var child = firstChild
    while let candidate = child {
      if candidate.pullback === pullback { return unsafe .passUnretained(candidate) }
      child = candidate.next
    }
    let place = ReducerPlace(pullback, next: firstChild)
    firstChild = place
    return unsafe .passUnretained(place)
  }

  /// The environment of this place, made in the current scope when it is asked for first.
  ///
  /// - Parameter scope: The current scope.
  @inlinable
  func environment<Environment: DependencyEnvironment>(in scope: BorrowedScope) -> Environment {
    if let made, BorrowedScope(made.scope).isSame(as: scope) {
      // Sound, because a place is that of one pullback, which asks for one type.
      return unsafe unsafeDowncast(made, to: Made<Environment>.self).environment
    }
    let environment = Environment()
    made = Made(environment, in: scope.kept)
    return environment
  }

  /// The scope that this place's environment captured, kept until the environment is in another.
  ///
  /// - Parameter identity: That of the scope.
  @usableFromInline
  func scope(_ identity: UInt, _ captured: () -> DependencyScope) -> BorrowedScope {
    if let scope, scope.captured.identity == identity { return BorrowedScope(scope.inForce) }
    let captured = captured()
    let inForce = captured.inForce
    scope = KeptScope(captured: captured, inForce: inForce)
    return BorrowedScope(inForce)
  }
}
