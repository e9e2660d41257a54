public import ComposableReducers
internal import TestRuntime
internal import ValueDifferences

extension TestStore {
  /// Asserts that an effect sends an action, and how that changes the state.
  ///
  /// The action must be the first received action that wasn't asserted yet; with ``exhaustivity``
  /// `.off`, the first equal one. If there is none, the test waits for the running effects, at most
  /// for `timeout`, the store's ``timeout`` by default. It fails immediately if no effect is running,
  /// or if all of them sleep on a `TestClock`. In a canceled task, it doesn't wait.
  ///
  /// The closure changes the state before the action into the expected one. Without it, the action
  /// must not change the state. While the closure runs, ``state`` is the state before the action. If
  /// it throws, the test fails.
  public func receive(
    _ action: Action,
    timeout: Duration? = nil,
    _ update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async where Action: Equatable {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let expected = Expectation(
      description: { short(action) }, matches: { $0 == action },
      explain: { difference(between: action, and: $0) })
    await receive(expected, within: timeout, update, place)
  }

  /// Asserts that an effect sends an action in a case, and how that changes the state.
  ///
  /// ```swift
  /// let loaded = CasePath(Action.loaded) { if case .loaded(let number) = $0 { number } else { nil } }
  /// await store.receive(loaded) { $0.isLoading = false }
  /// ```
  ///
  /// For the action of a row, pass the row's id: `await store.receive(row[id: 1])`.
  public func receive<Value>(
    _ path: CasePath<Action, Value>,
    timeout: Duration? = nil,
    _ update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let expected = Expectation(
      description: { describe(path) }, matches: { path.extract(from: $0) != nil })
    await receive(expected, within: timeout, update, place)
  }

  /// Asserts that an effect sends an action in a case with a payload, and how that changes the state.
  ///
  /// ```swift
  /// await store.receive(loaded, 7) { $0.number = 7 }
  /// ```
  public func receive<Value: Equatable>(
    _ path: CasePath<Action, Value>,
    _ value: Value,
    timeout: Duration? = nil,
    _ update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let expected = Expectation(
      description: { short(path.embed(value)) },
      matches: { path.extract(from: $0) == value },
      explain: { difference(between: path.embed(value), and: $0) })
    await receive(expected, within: timeout, update, place)
  }

  /// Asserts that an effect sends an action that matches a condition, and how that changes the
  /// state.
  ///
  /// ```swift
  /// await store.receive(where: { $0.isFailure }) { $0.isLoading = false }
  /// ```
  public func receive(
    where predicate: @escaping (Action) -> Bool,
    timeout: Duration? = nil,
    _ update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let expected = Expectation(
      description: { "an action that matches the condition" }, matches: predicate)
    await receive(expected, within: timeout, update, place)
  }

  private struct Expectation {
    let description: () -> String
    let matches: (Action) -> Bool
    /// Describes how an action differs from the expected one.
    var explain: (Action) -> String? = { _ in nil }
  }

  private func receive(
    _ expected: Expectation,
    within timeout: Duration?,
    _ update: ((inout State) throws -> Void)?,
    _ place: CallSite
  ) async {
    let limit = timeout ?? events.timeout
    let isExhaustive = events.exhaustivity == .on
    // A failure has named this action already, and one is enough.
    let isNext = events.received.first.map { expected.matches($0.action) } ?? false
    if !isNext, events.takeReported(expected.matches) { return }
    let outcome = await events.wait(within: limit) { received in
      isExhaustive
        ? received.isEmpty ? nil : 0 : received.firstIndex { expected.matches($0.action) }
    }
    switch outcome {
    case .found(let index):
      check(expected, at: index, update, place)
    case .notToCome:
      recordMissing(expected, "No effect that could send it is running.", place)
    case .asleep(let next):
      recordMissing(
        expected,
        """
        All effects sleep on the test's clock, until \(next) or later:
        \(effectList)
          Instead: advance the clock first.
        """, place)
    case .cancelled: break
    case .restless:
      testRun.recordUnsettled(at: place)
    case .timedOut:
      recordMissing(
        expected,
        """
        These effects are still running \(testRun.progress.textOfTimeout(after: limit)):
        \(effectList)
        """, place)
    }
  }

  private func check(
    _ expected: Expectation, at index: Int, _ update: ((inout State) throws -> Void)?,
    _ place: CallSite
  ) {
    guard let taken = events.takeReceived(through: index), let received = taken.last else {
      return recordMissing(expected, "Another task asserted it first.", place)
    }
    // While the closure runs, the state is the state before the action.
    if taken.count > 1 { events.state = taken[taken.count - 2].state }
    defer { events.state = received.state }
    events.recordUnasserted(taken.dropLast(), "", place)
    let action = received.action
    if expected.matches(action) {
      return check(
        update, from: events.state, to: received.state, event: short(action), place)
    }
    let difference = expected.explain(action).map { " (- expected, + actual):\n\n\($0)" } ?? "."
    events.fail(
      """
      Expected to receive \(expected.description()), but the store received \
      \(short(action))\(difference)
      """, at: place)
  }

  /// Fails the test because an action isn't received.
  private func recordMissing(_ expected: Expectation, _ reason: String, _ place: CallSite) {
    let others = events.received
    events.fail(
      """
      Expected to receive \(expected.description()), but the store didn't. \(reason)\
      \(others.isEmpty ? "" : "\nIt received:\(events.list(others))")\(events.cancellations)
      """, at: place)
  }
}

/// Describes an action in a path's case, for a message.
private func describe<Root, Value>(_ path: CasePath<Root, Value>) -> String {
  if let nothing = () as? Value { return short(path.embed(nothing)) }
  let ids = path.ids.map { " of the row \(short($0))" }.joined(separator: ",")
  return "an action with \(Value.self)\(ids)"
}
