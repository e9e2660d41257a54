/// One store's data for one place in its tree of reducers: the environment created for it, and its
/// scope.
///
/// Reducers are values that any number of stores share, and that live as long as the program; what
/// is created for a store is freed with the store. One pullback may occur at several places, below
/// parents in different scopes.
@usableFromInline
final class ReducerPlace {
  /// A superclass, so that the type of the stored object needn't be looked up.
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

  private let pullback: ReducerPullback?
  /// The next place below the same parent.
  private let next: ReducerPlace?
  /// The place above, which owns this one.
  private unowned let parent: ReducerPlace?
  /// Whether effects that end with a child's state were started here or below.
  private var leadsToOwners = false
  private var firstChild: ReducerPlace?
  @usableFromInline var made: AnyMade?
  private var scope: DependencyScope?

  @usableFromInline
  init() {
    pullback = nil
    next = nil
    parent = nil
  }

  private init(_ pullback: ReducerPullback, next: ReducerPlace?, below parent: ReducerPlace) {
    self.pullback = pullback
    self.next = next
    self.parent = parent
  }

  /// The place of a pullback below this one, which owns it.
  @usableFromInline
  func child(of pullback: ReducerPullback) -> Unmanaged<ReducerPlace> {
    // Most places have a single child, or use the same one again. Bit-cast, because unwrapping
    // would retain it.
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
    let place = ReducerPlace(pullback, next: firstChild, below: self)
    firstChild = place
    return unsafe .passUnretained(place)
  }

  /// The environment of this place, created in the current scope at the first access.
  ///
  /// - Parameter scope: The current scope.
  @inlinable
  func environment<Environment: DependencyEnvironment>(in scope: BorrowedScope) -> Environment {
    if let made, BorrowedScope(made.scope).isSame(as: scope) {
      // Sound, because a place belongs to one pullback, which uses one type of environment.
      return unsafe unsafeDowncast(made, to: Made<Environment>.self).environment
    }
    let environment = Environment()
    made = Made(environment, in: scope.kept)
    return environment
  }

  /// The scope that this place's environment captured, retained until the environment has another
  /// scope.
  ///
  /// - Parameter identity: The identity of the scope.
  @usableFromInline
  func scope(_ identity: UInt, _ captured: () -> DependencyScope) -> BorrowedScope {
    if scope?.identity != identity { scope = captured() }
    return BorrowedScope(scope!)
  }
}

extension ReducerPlace {
  /// Records that effects that end with a child's state were started here.
  func leadToOwners() {
    var place: ReducerPlace? = self
    while let current = place, !current.leadsToOwners {
      current.leadsToOwners = true
      place = current.parent
    }
  }

  /// Ends the effects of children below this place whose state no longer exists.
  ///
  /// - Parameters:
  ///   - state: The state at this place.
  ///   - owner: The owner of the effects of that state.
  func endGone<State>(in state: State, _ owner: EffectOwner) {
    var gone: [EffectOwner] = []
    takeGone(in: state, owner, &gone)
    EffectOwner.end(gone)
  }

  /// Takes out the owners of children below this place whose state is gone.
  @usableFromInline
  func takeGone<State>(in state: State, _ owner: EffectOwner, _ gone: inout [EffectOwner]) {
    var child = firstChild
    while let place = child {
      if place.leadsToOwners, let pullback = place.pullback {
        // Sound, because all pullbacks below one place are from its state.
        unsafe unsafeDowncast(pullback, to: StatePullback<State>.self)
          .takeGone(state, place, owner, &gone)
      }
      child = place.next
    }
  }
}
