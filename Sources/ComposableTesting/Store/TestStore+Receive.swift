public import ComposableReducers

extension TestStore {
  /// Asserts that an effect sends an action, and how that changes the state.
  ///
  /// It is the first action that was received and not asserted yet; with ``exhaustivity`` `.off`, the
  /// first that is equal. Where there is none, effects in flight are waited for; where there are none
  /// of those either, the test fails at once.
  ///
  /// - Parameters:
  ///   - action: What the effect sends.
  ///   - timeout: How long to wait for effects that hang; ``timeout`` by default.
  ///   - update: Changes the state into what it is to be after the action; where there is none, it
  ///     is to stay as it is. What it throws fails the test.
  ///   - fileID: The file that a failure names.
  ///   - filePath: The path of that file.
  ///   - line: The line that a failure names.
  ///   - column: The column that a failure names.
  public func receive(
    _ action: Action,
    timeout: Duration? = nil,
    _ update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async where Action: Equatable {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let isExpected = Expectation(
      description: short(action), explain: { difference(between: action, and: $0) },
      matches: { $0 == action })
    await receive(isExpected, within: timeout, update, place)
  }

  /// Asserts that an effect sends an action in a case, and how that changes the state.
  ///
  /// ```swift
  /// await store.receive(/Action.loaded) { $0.isLoading = false }
  /// ```
  public func receive<Value>(
    _ path: CasePath<Action, Value>,
    timeout: Duration? = nil,
    _ update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let isExpected = Expectation(
      description: "an action of the case with \(Value.self)", explain: { _ in nil },
      matches: { path.extract(from: $0) != nil })
    await receive(isExpected, within: timeout, update, place)
  }

  /// Asserts that an effect sends an action in a case with a payload, and how that changes the state.
  ///
  /// ```swift
  /// await store.receive(/Action.loaded, 7) { $0.number = 7 }
  /// ```
  public func receive<Value: Equatable>(
    _ path: CasePath<Action, Value>,
    _ value: Value,
    timeout: Duration? = nil,
    _ update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let isExpected = Expectation(
      description: short(path.embed(value)),
      explain: { difference(between: path.embed(value), and: $0) },
      matches: { path.extract(from: $0) == value })
    await receive(isExpected, within: timeout, update, place)
  }

  /// Asserts that an effect sends an action of which something is true, and how that changes the
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
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let isExpected = Expectation(
      description: "an action that fulfills the condition", explain: { _ in nil },
      matches: predicate)
    await receive(isExpected, within: timeout, update, place)
  }

  private struct Expectation {
    let description: String
    /// How an action differs from what is expected.
    let explain: (Action) -> String?
    let matches: (Action) -> Bool
  }

  private func receive(
    _ expected: Expectation,
    within timeout: Duration?,
    _ update: ((inout State) throws -> Void)?,
    _ location: SourcePlace
  ) async {
    let limit = timeout ?? log.timeout
    let isExhaustive = log.exhaustivity == .on
    let outcome = await log.wait(within: limit) { received in
      isExhaustive
        ? received.isEmpty ? nil : 0 : received.firstIndex { expected.matches($0.action) }
    }
    switch outcome {
    case .found(let index):
      guard let (before, received) = log.takeReceived(through: index) else {
        let reason = "Another task has asserted it meanwhile."
        return failOverNothing(expected.description, reason, location)
      }
      let action = received.action
      if expected.matches(action) {
        check(update, from: before, to: received.state, action: action, location)
      } else {
        failOverAction(action, expected.description, expected.explain(action), location)
      }
    case .notToCome:
      failOverNothing(expected.description, "No effect is in flight that could send it.", location)
    case .restless:
      testRun.failOverRestlessness(at: location)
    case .timedOut:
      failOverNothing(
        expected.description,
        "After \(limit), these effects are still running:\n\(effectList)", location)
    }
  }
}
