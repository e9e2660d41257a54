internal import TestRuntime
internal import ValueDifferences

extension StoreEvents {
  /// Fails the test at a place, and names what threw before.
  func fail(_ message: String, at place: CallSite) {
    TestFailure.record(message + (Misuses.running?.consequence ?? ""), at: place)
  }

  /// Fails the test over received actions that weren't asserted, or shows them as skipped.
  func recordUnasserted(
    _ received: some Collection<Received>,
    _ when: @autoclosure () -> String, _ place: CallSite
  ) {
    let exhaustivity = exhaustivity
    guard !received.isEmpty, exhaustivity == .on || exhaustivity.showsSkipped else { return }
    let count = received.count == 1 ? "an action" : "\(received.count) actions"
    guard exhaustivity == .on else {
      return TestFailure.warn(
        "The test skips \(count) that the store received:\(list(received))", at: place.location)
    }
    didReport(received)
    fail(
      """
      The store received \(count) that the test didn't assert \(when()):\(list(received))
        Instead: add `await store.receive(…)` for each, or set `store.exhaustivity = .off`.
      """, at: place)
  }

  /// One line per action, up to a limit.
  func list(_ received: some Collection<Received>) -> String {
    let limit = 20
    let lines = received.prefix(limit).map { "\n  \(short($0.action))" }.joined()
    return received.count > limit ? "\(lines)\n  … (\(received.count - limit) more)" : lines
  }
}
