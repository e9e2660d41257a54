internal import ComposableReducers

extension TestStore {
  /// Compares a state with what the test makes of the one before.
  func check(
    _ update: ((inout State) throws -> Void)?,
    from before: State, to after: State, action: Action, _ location: SourcePlace
  ) {
    do {
      var expected = before
      try update?(&expected)
      if expected == after { return }
      if log.exhaustivity == .off {
        guard let update else { return }
        // What the closure does not set is as it is.
        expected = after
        try update(&expected)
        if expected == after { return }
      }
      let problem =
        update == nil
        ? "\(short(action)) has changed the state, and the test does not say how"
        : "The state after \(short(action)) is not the one that the test expects"
      TestFailure.record(
        """
        \(problem) (- expected, + actual):

        \(difference(between: expected, and: after) ?? undescribedDifference)
        """, at: location)
    } catch {
      TestFailure.record(
        "What the state is to be after \(short(action)) could not be told: \(error)", at: location)
    }
  }

  /// Fails over actions that were received and not asserted.
  func failOverReceived(
    taking received: [StoreLog<State, Action>.Received], when: String,
    _ location: SourcePlace
  ) {
    guard log.exhaustivity == .on, !received.isEmpty else { return }
    let actions = received.map { "  \(short($0.action))" }.joined(separator: "\n")
    TestFailure.record(
      """
      The store has received \(received.count == 1 ? "an action" : "\(received.count) actions") \
      that the test had not asserted \(when):
      \(actions)
        Instead: `await store.receive(…)` for each, or `store.exhaustivity = .off`.
      """, at: location)
  }

  /// Fails over an action that is not the expected one.
  func failOverAction(
    _ action: Action, _ expected: String, _ difference: String?, _ location: SourcePlace
  ) {
    let explanation =
      difference.map { " (- expected, + actual):\n\n\($0)" } ?? ": \(short(action))"
    TestFailure.record(
      "The store has received another action than \(expected)\(explanation)", at: location)
  }

  /// Fails because an action does not come.
  func failOverNothing(_ expected: String, _ reason: String, _ location: SourcePlace) {
    let others = log.received.map { "\n  \(short($0.action))" }.joined()
    TestFailure.record(
      """
      The store has not received \(expected). \(reason)\
      \(others.isEmpty ? "" : "\nIt has received:\(others)")
      """, at: location)
  }

  /// Fails over the effects in flight.
  func failOverEffects(_ when: String, _ location: SourcePlace) {
    let list = effectList
    log.forgetEffects()
    TestFailure.record(
      """
      There are effects that \(when):
      \(list)
        Instead: let them end, by advancing the test's clock for example; or cancel them, by an \
      action or by what `send` returns.
      """, at: location)
  }

  /// A line for each effect in flight.
  var effectList: String {
    log.origins.map { origin in
      let places = origin.places.map { "\($0.fileID):\($0.line)" }.joined(separator: ", ")
      return "  an effect of \(short(origin.action)), made at \(places)"
    }.joined(separator: "\n")
  }

  private var undescribedDifference: String {
    "  They are not equal, but what distinguishes them cannot be shown."
  }
}
