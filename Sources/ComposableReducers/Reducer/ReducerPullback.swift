/// The identity of a pullback.
@usableFromInline
class ReducerPullback: @unchecked Sendable {  // Immutable.
  @usableFromInline init() {}
}

/// Finds the state of a pullback's children in a parent's state.
@usableFromInline
final class StatePullback<ParentState>: ReducerPullback, @unchecked Sendable {
  /// Takes out the owners of the children at or below a place whose state is gone.
  @usableFromInline let takeGone: TakeGone

  @usableFromInline
  typealias TakeGone =
    @Sendable (ParentState, ReducerPlace, EffectOwner, inout [EffectOwner]) -> Void

  /// Creates a pullback of a child whose state always exists.
  @inlinable
  init<State>(property find: @escaping @Sendable (ParentState) -> State) {
    takeGone = { state, place, owner, gone in place.takeGone(in: find(state), owner, &gone) }
    super.init()
  }

  /// A pullback of children whose state may go, of which each has an id.
  ///
  /// - Parameters:
  ///   - find: Finds a child's state.
  ///   - ids: The ids of all children, where they are in an array.
  @inlinable
  init<ID: Hashable & SendableMetatype, State>(
    elements find: @escaping @Sendable (ParentState) -> (ID) -> State?,
    ids: (@Sendable (ParentState) -> [ID])? = nil
  ) {
    takeGone = { state, place, owner, gone in
      guard let elements = owner.elements(at: place, by: ID.self) else { return }
      let ids = ids?(state)
      let candidates = elements.candidates(among: ids)
      if candidates.isEmpty, elements.hasNoGrandchildren { return }
      let find = find(state)
      let goneIDs = candidates.filter { find($0) == nil }
      if !goneIDs.isEmpty { gone += owner.take(goneIDs, of: elements) }
      elements.remember(ids)
      if elements.hasNoGrandchildren { return }
      for (id, child) in elements.owners where child.hasChildren {
        if let childState = find(id) { place.takeGone(in: childState, child, &gone) }
      }
    }
    super.init()
  }
}

/// The id of the only child at a place.
@usableFromInline
struct OnlyChild: Hashable {
  @usableFromInline init() {}
}
