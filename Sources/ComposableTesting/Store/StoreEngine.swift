internal import ComposableReducers
internal import TestClocks

/// Runs a test's store like `Store`, but on the test's executor, together with its effects.
actor StoreEngine<State: Sendable, Action: Sendable> {
  /// The result of an action that the test sent.
  struct Sent: Sendable {
    /// The actions that the store received in the last moment before.
    let earlier: [StoreEvents<State, Action>.Received]
    let before: State
    let after: State
    let task: StoreTask
  }

  private let core: StoreCore<State, Action>
  private nonisolated let environment: EngineEnvironment<State, Action>
  private nonisolated let effects: EffectRegistry
  private let events: StoreEvents<State, Action>
  private nonisolated let executor: TestExecutor

  /// Callers take their turn among the jobs of the effects.
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  init<Environment>(
    initialState: State,
    reducer: Reducer<State, Action, Environment>,
    environment: Environment,
    events: StoreEvents<State, Action>,
    on executor: TestExecutor
  ) {
    let core = StoreCore(
      initialState: initialState, reducer: reducer, environment: environment, supervisor: events)
    self.core = core
    self.environment = EngineEnvironment(environment, reducer: reducer)
    self.effects = core.effects
    self.events = events
    self.executor = executor
    core.effects.connect { [weak self] in await self?.receive($0) }
  }

  deinit {
    effects.cancelAll()
  }

  nonisolated func cancelEffects() {
    effects.cancelAll()
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

  /// Sends an action, and returns after it is reduced.
  func send(_ action: Action) -> Sent {
    let earlier = events.takeAllReceived()
    let before = core.state
    var after: State?
    let task = core.receive(action) { action in
      // Effects that need no time sent the actions after the first.
      if after == nil { after = core.state } else { events.didReceive(action, state: core.state) }
    }
    return Sent(earlier: earlier, before: before, after: after ?? before, task: task)
  }

  private func receive(_ request: EffectRequest) {
    core.receive(request) { action in
      events.didReceive(action, state: core.state)
    }
  }
}
