public import ComposableReducers

/// A store for tests, which holds a test to what the feature does.
///
/// ```swift
/// @Test func loading() async {
///   let store = TestStore(
///     initialState: Counter(), reducer: counter,
///     environment: CounterEnvironment().with(\.numbers, .constant(7)))
///   await store.send(.tapped) { $0.isLoading = true }
///   await store.receive(.loaded(7)) {
///     $0.isLoading = false
///     $0.number = 7
///   }
///   await store.finish()
/// }
/// ```
///
/// The closures change the state that the test has asserted so far into the one that it expects. The
/// test fails, at the line of the assertion and with the difference, where that is not the state;
/// where an action was received that the test did not assert, before it sends the next one or at the
/// end; and where an effect is still running at the end. With ``exhaustivity`` `.off`, only what the
/// test says is held against what happens.
///
/// It reduces actions and runs effects as ``/ComposableReducers/Store`` does, in the same scopes, but
/// its effects run on an executor that belongs to the test: one job at a time, in the order in which
/// they come, for all the stores of the test. So a call of this type, and of ``TestClock``, first lets everything run
/// that can, and knows when that is done, without a yield or a pause; the same test gives the same
/// result each time. Effects may leave that executor, for the main actor, an actor with an executor
/// of its own, a dispatch queue or an unstructured task (`Task {}`): while they are in flight there,
/// `receive` and ``finish(timeout:fileID:filePath:line:column:)`` wait for them. An action that is
/// sent from an unstructured task after its effect has ended is received, but nobody waits for it.
///
/// A store belongs to the test in which it is made; one of its tasks at a time asserts.
public final class TestStore<State: Equatable & Sendable, Action: Sendable>: Sendable {
  let log: StoreLog<State, Action>
  let engine: StoreEngine<State, Action>
  let testRun: TestRun
  private let place: SourcePlace

  /// Makes a store, in the current scope.
  public init<Environment>(
    initialState: State,
    reducer: Reducer<State, Action, Environment>,
    environment: Environment,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    testRun = TestRun.running
    log = StoreLog(state: initialState, in: testRun)
    engine = StoreEngine(
      initialState: initialState, reducer: reducer, environment: environment, log: log,
      on: testRun.executor)
    self.place = place
  }

  deinit {
    failOverReceived(taking: log.takeAllReceived(), when: "when the store went away", place)
    if log.exhaustivity == .on, !log.origins.isEmpty {
      failOverEffects("are still running when the store goes away", place)
    }
  }

  /// The state after the last action that was asserted.
  public var state: State { log.state }

  /// How much of what happens has to be asserted; everything by default.
  public var exhaustivity: Exhaustivity {
    get { log.exhaustivity }
    set { log.exhaustivity = newValue }
  }

  /// How long to wait for an effect that may hang, where a call does not say; 5 seconds by default.
  ///
  /// Only time counts in which tasks get to run, so a busy machine makes it longer, up to a hundred times.
  /// It is never waited for where nothing is in flight.
  public var timeout: Duration {
    get { log.timeout }
    set { log.timeout = newValue }
  }
}

extension TestStore {
  /// Sends an action, and asserts how it changes the state; then lets its effects run as far as they
  /// get.
  ///
  /// The test fails where an action was received before that it has not asserted.
  ///
  /// - Parameters:
  ///   - action: What a user does, for example.
  ///   - update: Changes the state into what it is to be after the action; where there is none, it
  ///     is to stay as it is. What it throws fails the test.
  ///   - fileID: The file that a failure names.
  ///   - filePath: The path of that file.
  ///   - line: The line that a failure names.
  ///   - column: The column that a failure names.
  /// - Returns: What the action has started; it can be waited for and cancelled.
  @discardableResult
  public func send(
    _ action: Action,
    _ update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async -> StoreTask {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await testRun.settle(within: timeout, at: place)
    failOverReceived(
      taking: log.takeAllReceived(), when: "before \(short(action)) is sent", place)
    let sent = await engine.send(action)
    log.state = sent.after
    check(update, from: sent.before, to: sent.after, action: action, place)
    await testRun.settle(within: timeout, at: place)
    return sent.task
  }

  /// Waits until all effects have ended.
  ///
  /// The test fails where one of them hangs, and where an action was received that it has not
  /// asserted.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait for effects that hang; ``timeout`` by default.
  ///   - fileID: The file that a failure names.
  ///   - filePath: The path of that file.
  ///   - line: The line that a failure names.
  ///   - column: The column that a failure names.
  public func finish(
    timeout: Duration? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let limit = timeout ?? log.timeout
    let outcome: StoreLog<State, Action>.Outcome<Never> =
      await log.wait(within: limit) { _ in nil }
    failOverReceived(taking: log.takeAllReceived(), when: "at the end", place)
    switch outcome {
    case .notToCome: break
    case .restless: testRun.failOverRestlessness(at: place)
    case .timedOut:
      failOverEffects("are still running at the end, after \(limit)", place)
    }
  }

  /// Forgets the actions that were received and not asserted; the state is that after the last.
  ///
  /// Everything that can run has run before.
  public func skipReceivedActions(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await testRun.settle(within: timeout, at: place)
    _ = log.takeAllReceived()
  }
}
