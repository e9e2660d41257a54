internal import ComposableReducers
internal import TestRuntime
internal import Testing
internal import ValueDifferences

extension TestStore {
  /// Compares a state with the test's expectation.
  ///
  /// - Parameters:
  ///   - event: What happened, as in "the state after `.tapped`". Evaluated only for a message.
  ///   - mustChange: Whether a closure that changes nothing fails the test.
  func check(
    _ update: ((inout State) throws -> Void)?,
    from before: State, to after: State, mustChange: Bool = true,
    event: @autoclosure () -> String, _ place: CallSite
  ) {
    do {
      let exhaustivity = events.exhaustivity
      // If the test may skip changes, what the closure doesn't set stays as it is.
      var expected = exhaustivity == .on ? before : after
      try engine.scope.run { try update?(&expected) }
      if expected != after {
        let problem =
          update == nil
          ? "\(event()) changed the state, but the test doesn't describe the change"
          : "The state after \(event()) isn't what the test expects"
        events.fail(
          "\(problem) (- expected, + actual):\n\n\(lines(from: expected, to: after))", at: place)
      } else if exhaustivity == .on, update != nil, mustChange, before == after {
        TestFailure.record(
          """
          Expected \(event()) to change the state, but nothing changed.
            Instead: remove the closure.
          """, at: place)
      } else if exhaustivity.showsSkipped, before != after {
        guard let asserted = asserted(by: update, from: before), asserted != after else { return }
        TestFailure.warn(
          """
          The test skips changes to the state after \(event()) (- asserted, + actual):

          \(lines(from: asserted, to: after))
          """, at: place.location)
      }
    } catch {
      TestFailure.record(
        "The closure for the state after \(event()) threw an error: \(error)", at: place)
    }
  }

  /// Returns the state before an action, as the test's closure changes it; `nil` if it throws.
  private func asserted(
    by update: ((inout State) throws -> Void)?, from before: State
  ) -> State? {
    guard let update else { return before }
    var asserted: State?
    // The closure is right about the state after the action, and may not suit the one before.
    withKnownIssue(
      "To show what a closure skips, the test calls it again with the state before the action.",
      isIntermittent: true
    ) {
      asserted = try? engine.scope.run {
        var state = before
        try update(&state)
        return state
      }
    }
    return asserted
  }

  /// The lines in which two states differ.
  private func lines(from old: State, to new: State) -> String {
    difference(between: old, and: new) ?? "  They aren't equal, but the difference can't be shown."
  }

  /// Fails the test over the running effects.
  func recordRunning(_ when: String, _ place: CallSite) {
    let effects = events.effects
    let list = events.lines(of: effects)
    events.forget(effects)
    events.fail(
      """
      These effects \(when):
      \(list)\(events.cancellations)
        Instead: let them end, for example by advancing the test's clock. Or cancel them with an action, \
      with the task that `send` returns, or with `await store.skipInFlightEffects()`.
      """, at: place)
  }

  /// Shows the running effects as skipped, if the test asks for that.
  func showSkippedEffects(_ when: String, _ place: CallSite) {
    guard events.exhaustivity.showsSkipped else { return }
    TestFailure.warn("The test skips effects that \(when):\n\(effectList)", at: place.location)
  }

  /// One line per running effect.
  var effectList: String { events.lines(of: events.effects) }
}
