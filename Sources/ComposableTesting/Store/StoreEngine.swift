internal import ComposableReducers
internal import Synchronization
internal import TestRuntime

/// Runs a test's store like `Store`, but on the test's executor, together with its effects.
actor StoreEngine<State: Sendable, Action: Sendable> {
  /// The result of an action that the test sent.
  struct Sent: Sendable {
    /// The actions that effects sent just before.
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
    at place: SourcePlace, _ update: (inout Dependencies) -> Void
  ) async {
    // `update` isn't sendable, so it runs here, and only its result goes to the engine.
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
      // The actions after the first are those of `.send` effects.
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

/// The environment of a test's store, which the test can override while the store runs.
final class EngineEnvironment<State: Sendable, Action: Sendable>: Sendable {
  /// Gives a store another environment.
  struct Change: Sendable {
    let apply: @Sendable (StoreCore<State, Action>) -> Void
  }

  private let currentScope: @Sendable () -> DependencyScope
  private let override: @Sendable (SourcePlace, (inout Dependencies) -> Void) -> Change

  init<Environment>(_ environment: Environment, reducer: Reducer<State, Action, Environment>) {
    let current = Current(environment)
    currentScope = { current.scope }
    override = { place, update in
      let (environment, scope) = current.override(at: place, update)
      return Change { $0.setEnvironment(environment, of: reducer, in: scope) }
    }
  }

  /// The scope of the environment, or else of the store.
  var scope: DependencyScope { currentScope() }

  /// Overrides dependencies, and returns the change of the store.
  func overriding(
    at place: SourcePlace, _ update: (inout Dependencies) -> Void
  ) -> Change {
    override(place, update)
  }

  private final class Current<Environment: Sendable>: Sendable {
    private let state: Mutex<(Environment, DependencyScope)>

    init(_ environment: Environment) {
      let scope = (environment as? any ScopeCapturing)?.scope ?? .current
      state = Mutex((environment, scope))
    }

    var scope: DependencyScope { state.withLock { $0.1 } }

    /// Recreates an environment that captures a scope.
    ///
    /// For any other, only the scope changes.
    func override(
      at place: SourcePlace, _ update: (inout Dependencies) -> Void
    ) -> (Environment, DependencyScope) {
      let (environment, scope) = state.withLock { $0 }
      let new: (Environment, DependencyScope)
      if let capturing = environment as? any ScopeCapturing {
        let recreated = capturing.recreated(
          fileID: place.fileID, line: place.line, overriding: update)
        new = (recreated as! Environment, recreated.scope)
      } else {
        new = (environment, scope.with(at: place, update))
      }
      // Return the replaced environment, so that it is freed after the lock.
      _ = state.withLock { current in
        defer { current = new }
        return current
      }
      return new
    }
  }
}
