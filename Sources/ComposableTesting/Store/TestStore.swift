public import ComposableReducers
internal import TestRuntime
internal import ValueDifferences

/// A store for tests, with which a test asserts everything that a feature does.
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
/// Each closure changes the state before the action into the expected one. If the action produced a
/// different state, the test fails at the line of the assertion, and shows the difference. The test
/// also fails if it sends an action or ends before it asserts a received action, and if an effect
/// is still running at the end. With ``exhaustivity`` `.off`, the test compares only what its closures
/// set.
///
/// The store reduces actions and runs effects like `Store`, in the same
/// scopes. But its effects run on the test's executor, which runs one job at a time, in order, for
/// all stores of the test. Each call of this type and of `TestClock` first runs
/// everything that can run. So a test gives the same result each time, without pauses.
///
/// An effect may leave that executor for an actor with its own executor or a dispatch queue, and
/// without a trait also for the main actor or an unstructured task (`Task {}`). `receive` and
/// ``finish(timeout:fileID:filePath:line:column:)`` wait for it while it runs there. The store also
/// receives an action that an unstructured task sends after its effect has ended, but doesn't wait
/// for it.
///
/// A store belongs to the test that creates it. Call it from one task of the test at a time.
public final class TestStore<State: Equatable & Sendable, Action: Sendable>: Sendable {
  let events: StoreEvents<State, Action>
  let engine: StoreEngine<State, Action>
  let testRun: TestRun

  /// Creates a store in the current scope.
  public init<Environment>(
    initialState: State,
    reducer: Reducer<State, Action, Environment>,
    environment: Environment,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    testRun = TestRun.running
    events = StoreEvents(state: initialState, in: testRun, at: place)
    engine = StoreEngine(
      initialState: initialState, reducer: reducer, environment: environment, events: events,
      on: testRun.executor)
  }

  deinit {
    // A canceled test has nothing more to assert.
    if Task.isCancelled { return }
    let place = events.place
    events.recordUnasserted(events.takeAllReceived(), "before the store was released", place)
    if !events.effects.isEmpty {
      let when = "are still running when the store is released"
      if events.exhaustivity == .on {
        recordRunning(when, place)
      } else {
        showSkippedEffects(when, place)
      }
    }
  }

  /// The state after the last asserted action.
  ///
  /// In the closure of an assertion, it is the state before the action.
  public var state: State { events.state }

  /// Which events a test must assert; all of them by default.
  public var exhaustivity: Exhaustivity {
    get { events.exhaustivity }
    set { events.exhaustivity = newValue }
  }

  /// The default timeout of this store's calls; 5 seconds unless you set it.
  ///
  /// The timeout is generous on a busy machine: it counts only time in which tasks can run. A call
  /// never waits if nothing is running.
  public var timeout: Duration {
    get { events.timeout }
    set { events.timeout = newValue }
  }
}

extension TestStore {
  /// Sends an action, for example of a user, and asserts how it changes the state.
  ///
  /// Its effects then run as far as they can.
  ///
  /// The closure changes the state before the action into the expected one. Without it, the action
  /// must not change the state. While the closure runs, ``state`` is the state before the action,
  /// and the current scope is the store's.
  ///
  /// The test fails if the state isn't the expected one, if the closure changes nothing or throws,
  /// or if the store already received an action that the test didn't assert.
  ///
  /// - Returns: What the action has started; you can wait for it and cancel it. Where you wait for an
  ///   effect that hangs, the test fails at this line after ``timeout``, and continues.
  @discardableResult
  public func send(
    _ action: Action,
    _ update: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async -> TestStoreTask {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await testRun.settle(within: timeout, at: place)
    events.recordUnasserted(events.takeAllReceived(), "before it sent \(short(action))", place)
    testRun.order.note("the test sends \(short(action))")
    let sent = await engine.send(action)
    events.recordUnasserted(sent.earlier, "before it sent \(short(action))", place)
    check(update, from: events.state, to: sent.after, event: short(action), place)
    events.state = sent.after
    await testRun.settle(within: timeout, at: place)
    return TestStoreTask(task: sent.task) { [events] in
      await events.waitForEnd(of: sent.task, of: action, place)
    }
  }

  /// Overrides dependencies for the actions that follow.
  ///
  /// ```swift
  /// await store.withDependencies { $0.apiClient = .failing }
  /// await store.send(.submitted) { $0.isLoading = true }
  /// await store.receive(.failed) { $0.isLoading = false }
  /// ```
  ///
  /// **Adds** to the scope of the store's environment: dependencies that `update` doesn't set read as
  /// before. Everything that can run runs first, and running effects keep their scope.
  ///
  /// Reads inside `update` see the overrides made so far. An environment that captures a scope is
  /// recreated, as by its `with`.
  public func withDependencies(
    _ update: (inout Dependencies) -> Void,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await testRun.settle(within: timeout, at: place)
    await engine.withDependencies(at: .init(fileID: fileID, line: line), update)
  }

  /// Asserts the state between actions.
  ///
  /// ```swift
  /// store.assert { $0.results = ["swift"] }
  /// ```
  ///
  /// The closure changes ``state`` into the expected state, which must be the state that it already
  /// is: set what you expect. If the closure throws, the test fails.
  public func assert(
    _ update: (inout State) throws -> Void,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    let place = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    let state = events.state
    withoutActuallyEscaping(update) { update in
      check(update, from: state, to: state, mustChange: false, event: "the last action", place)
    }
  }
}

/// The effects that an action started in a store for tests.
///
/// ```swift
/// let timer = await store.send(.startTimer)
/// await clock.advance(by: .seconds(1))
/// await store.receive(.ticked)
/// await timer.cancel()  // Nothing is running when the test ends.
/// ```
public struct TestStoreTask: Sendable {
  let task: StoreTask
  /// Waits for the end, within the store's timeout.
  let waitForEnd: @Sendable () async -> Void

  /// Waits for every effect that the action started, including those started by their actions.
  ///
  /// An effect that hangs fails the test. This call then returns after the store's timeout, or after
  /// a moment if all effects sleep on the test's clock. If the waiting task is cancelled, the effects
  /// are, too.
  public func finish() async {
    await withTaskCancellationHandler {
      await waitForEnd()
    } onCancel: {
      task.cancel()
    }
  }

  /// Cancels every effect that the action started, and waits until they have ended.
  ///
  /// From then on, the store ignores the actions of these effects.
  public func cancel() async {
    task.cancel()
    await finish()
  }

  /// Not available: ``cancel()`` waits in a test.
  @available(*, unavailable, renamed: "cancel()")
  public func cancelAndFinish() async {}
}

/// The events in a ``TestStore`` that a test must assert.
public enum Exhaustivity: Equatable, Sendable {
  /// The test asserts everything: each state change, each action that an effect sends, and the end
  /// of each effect.
  case on

  /// The test skips what it doesn't assert: other received actions, and state changes that its
  /// closures don't make.
  ///
  /// A closure changes the state after the action, and must leave it as it is. So set what you expect,
  /// as in `$0.count = 2`: a relative change such as `$0.count += 1` fails the test.
  ///
  /// With `showingSkipped`, skipped events appear as warnings, which don't fail the test. Under
  /// XCTest, they are printed. To find what a closure skips, the test calls it a second time, with the
  /// state before the action. In that call, errors and Swift Testing's issues don't fail the test, but
  /// a trap ends the process.
  case off(showingSkipped: Bool)

  /// The test silently skips what it doesn't assert.
  public static let off = Exhaustivity.off(showingSkipped: false)

  /// Not available: write ``off(showingSkipped:)``.
  @available(*, unavailable, renamed: "off(showingSkipped:)")
  public static func off(showSkippedAssertions: Bool) -> Exhaustivity { .off }

  var showsSkipped: Bool { self == .off(showingSkipped: true) }
}
