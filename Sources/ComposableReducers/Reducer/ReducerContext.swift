/// The context of a running reducer: its scope, and its place in the store's tree of reducers.
///
/// It retains neither, and must not outlive the action.
@safe
@usableFromInline
struct ReducerContext {
  @usableFromInline let place: Unmanaged<ReducerPlace>
  /// The current scope.
  @usableFromInline let scope: BorrowedScope

  @inlinable
  init(place: Unmanaged<ReducerPlace>, scope: BorrowedScope) {
    unsafe self.place = place
    self.scope = scope
  }

  /// The place of a pullback below this one.
  @inlinable
  func child(of pullback: ReducerPullback) -> ReducerContext {
    unsafe ReducerContext(
      place: unsafe place._withUnsafeGuaranteedRef { unsafe $0.child(of: pullback) }, scope: scope)
  }

  /// The same place, in the scope that its environment captured.
  @inlinable
  func inside(_ identity: UInt, _ captured: () -> DependencyScope) -> ReducerContext {
    unsafe ReducerContext(
      place: place, scope: place._withUnsafeGuaranteedRef { $0.scope(identity, captured) })
  }
}
