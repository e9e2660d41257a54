internal import ComposableReducers
internal import Synchronization

/// Runs a test's store like `Store`, but on the test's executor, together with its effects.
actor StoreEngine<State: Sendable, Action: Sendable> {
  /// The result of an action that the test sent.
  struct Sent: Sendable {
    /// The actions that the store received in the last moment before.
    let earlier: [StoreLog<State, Action>.Received]
    let before: State
    let after: State
    let task: StoreTask
  }

  private let core: StoreCore<State, Action>
  private nonisolated let environment: EngineEnvironment<State, Action>
  private nonisolated let effects: EffectRegistry
  private let log: StoreLog<State, Action>
  private nonisolated let executor: TestExecutor

  /// Whether an action is being reduced.
  ///
  /// The executor abandons a reducer that blocks its thread. Then other jobs of this actor run
  /// concurrently with it.
  private nonisolated let isReducing = Atomic(false)

  /// Callers take their turn among the jobs of the effects.
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  init<Environment>(
    initialState: State,
    reducer: Reducer<State, Action, Environment>,
    environment: Environment,
    log: StoreLog<State, Action>,
    on executor: TestExecutor
  ) {
    let core = StoreCore(
      initialState: initialState, reducer: reducer, environment: environment, supervisor: log)
    self.core = core
    self.environment = EngineEnvironment(environment, reducer: reducer)
    self.effects = core.effects
    self.log = log
    self.executor = executor
    core.effects.connect { [weak self] in await self?.receive($0) }
  }

  deinit {
    effects.cancelAll()
  }

  nonisolated func cancelEffects() {
    effects.cancelAll()
  }

  /// Sends an action, and returns after it is reduced; `nil` if that takes too long.
  ///
  /// Runs in its own task, so that the test continues if a reducer blocks. In an explored schedule
  /// it doesn't, because that task would add a choice.
  nonisolated func send(_ action: Action, within limit: TimeLimit) async -> Sent? {
    if executor.explored != nil { return await reduce(action) }
    let (wait, result) = (Wait(), Result())
    Task(executorPreference: executor) {
      let sent = await self.reduce(action)
      result.sent.withLock { $0 = sent }
      wait.end(.fulfilled)
    }
    _ = await limit.outcome(of: wait)
    return result.sent.withLock { $0.take() }
  }

  private final class Result: Sendable {
    let sent = Mutex<Sent?>(nil)
  }

  /// The scope in which the next action is reduced.
  nonisolated var scope: DependencyScope { environment.scope }

  /// Overrides dependencies for the actions that follow.
  nonisolated func withDependencies(
    at place: ComposableDependencies.SourceLocation, _ update: (inout Dependencies) -> Void
  ) async {
    // The closure may capture anything, so it runs here, and only the result goes to the engine.
    let change = environment.overriding(at: place, update)
    await apply(change)
  }

  private func apply(_ change: EngineEnvironment<State, Action>.Change) {
    change.apply(core)
  }

  private func reduce(_ action: Action) -> Sent? {
    guard begin() else { return nil }
    defer { end() }
    let earlier = log.takeAllReceived()
    let before = core.state
    var after: State?
    let task = core.receive(action) { action in
      // Effects that need no time sent the actions after the first.
      if after == nil { after = core.state } else { log.didReceive(action, state: core.state) }
    }
    return Sent(earlier: earlier, before: before, after: after ?? before, task: task)
  }

  private func receive(_ request: EffectRequest) {
    guard begin() else { return }
    defer { end() }
    core.receive(request) { action in
      log.didReceive(action, state: core.state)
    }
  }

  private func begin() -> Bool {
    isReducing.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
  }

  private func end() {
    isReducing.store(false, ordering: .releasing)
  }
}
