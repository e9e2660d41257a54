// The state before the action that is being reduced, for code that reads it meanwhile.
//
// Keeping every earlier state would make each mutation of an array copy the array. So a state is
// kept only if that costs almost nothing, or if it's needed:
//
// - a state of trivial values, which is copied bit by bit;
// - a state that initially holds an object, whose deinitializer may read the state;
// - every state, after the first read during an action.
//
// That first read returns the initial state.
extension StoreCore {
  /// The state; while an action is being reduced, the state before that action.
  @inlinable
  package var state: State {
    isChanging ? stateBeforeAction() : currentState
  }

  /// Changes the state with an action.
  @inlinable
  func change(_ change: (inout State) -> Effect<Action>) -> Effect<Action> {
    if keepsEarlierState { earlierState = currentState }
    isChanging = true
    let effect = change(&currentState)
    isChanging = false
    if keepsEarlierState, !isTrivial { forgetEarlierState() }
    return effect
  }

  @usableFromInline
  func forgetEarlierState() {
    // Freed code that reads the state reads the current one.
    earlierState = nil
  }

  @usableFromInline
  func stateBeforeAction() -> State {
    if !keepsEarlierState {
      keepsEarlierState = true
      reportFirstRead()
    }
    return earlierState!
  }

  private func reportFirstRead() {
    DependencyIssue(
      problem: """
        The store's state was read while the store was reducing an action. This read returned the \
        initial \(State.self). From now on, the store keeps a copy for such reads: they return the \
        state before the action.
        """,
      remedy: "use the state that the reducer receives, or read the store's state in an effect.",
      at: nil
    ).report()
  }
}

/// Whether a value holds an object, as far as a quick check can say.
@usableFromInline
func holdsObject(_ value: Any) -> Bool {
  var values = [value]
  var count = 0
  while let value = values.popLast(), count < 200 {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .class { return true }
    for child in mirror.children.prefix(20) { values.append(child.value) }
    count += 1
  }
  return false
}
