internal import ComposableReducers
internal import Synchronization
internal import TestRuntime

/// Runs a test's store like `Store`, but on the test's executor, together with its effects.
actor StoreEngine<State: Sendable, Action: Sendable> {
  private let core: StoreCore<State, Action>
  private nonisolated let environment: Mutex<EngineEnvironment<State, Action>>
  private nonisolated let effects: EffectRegistry
  private let events: StoreEvents<State, Action>
  private nonisolated let executor: TestExecutor

  /// The test's executor, on which calls of this actor take turns with the effects' jobs.
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    // Sound: the actor retains its executor.
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
    self.environment = Mutex(EngineEnvironment(environment, in: core.scope, reducer))
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
  nonisolated var scope: DependencyScope { environment.withLock { $0.scope } }

  /// Overrides dependencies for the actions that follow.
  nonisolated func withDependencies(
    at place: SourcePlace, _ update: (inout Dependencies) -> Void
  ) async {
    // `update` isn't sendable, so it runs here, and only its result goes to the engine.
    let new = environment.withLock { $0 }.overriding(place, update)
    let replaced = environment.withLock { current in
      defer { current = new }
      return current
    }
    withExtendedLifetime(replaced) {}  // Freed after the lock.
    await apply(new)
  }

  private func apply(_ environment: EngineEnvironment<State, Action>) {
    environment.apply(core)
  }

  /// Sends an action, and returns after it is reduced.
  ///
  /// - Returns: The actions that effects sent just before, the state after the action, and its effects.
  func send(
    _ action: Action
  ) -> (earlier: [StoreEvents<State, Action>.Received], after: State, task: StoreTask) {
    let earlier = events.takeAllReceived()
    var after: State?
    let task = core.receive(action) { action in
      // The actions after the first are those of `.send` effects.
      if after == nil { after = core.state } else { events.didReceive(action, state: core.state) }
    }
    return (earlier, after ?? core.state, task)
  }

  private func receive(_ request: EffectRequest) {
    core.receive(request) { action in
      events.didReceive(action, state: core.state)
    }
  }
}

/// The environment of a test's store, and the scope in which the store reduces.
private struct EngineEnvironment<State: Sendable, Action: Sendable>: Sendable {
  let scope: DependencyScope
  /// Gives it to a store.
  let apply: @Sendable (StoreCore<State, Action>) -> Void
  /// Recreates an environment that captures a scope.
  ///
  /// For any other, only the scope changes.
  let overriding: @Sendable (SourcePlace, (inout Dependencies) -> Void) -> EngineEnvironment

  init<Environment>(
    _ environment: Environment, in scope: DependencyScope,
    _ reducer: Reducer<State, Action, Environment>
  ) {
    self.scope = scope
    apply = { $0.setEnvironment(environment, of: reducer, in: scope) }
    overriding = { place, update in
      guard let capturing = environment as? any ScopeCapturing else {
        return Self(environment, in: scope.with(at: place, update), reducer)
      }
      let recreated = capturing.recreated(
        fileID: place.fileID, line: place.line, overriding: update)
      return Self(recreated as! Environment, in: recreated.scope, reducer)
    }
  }
}
