internal import ComposableReducers

/// Runs a test's store as `Store` runs: on the executor of the test, where its effects run too.
actor StoreEngine<State: Sendable, Action: Sendable> {
  /// What became of an action that the test has sent.
  struct Sent: Sendable {
    let before: State
    let after: State
    let task: StoreTask
  }

  private let core: StoreCore<State, Action>
  private nonisolated let effects: EffectRunner<Action>
  private let log: StoreLog<State, Action>
  private nonisolated let executor: TestExecutor

  /// Whoever calls takes its place among the jobs of the effects.
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
    self.effects = core.effects
    self.log = log
    self.executor = executor
  }

  deinit {
    effects.cancelAll()
  }

  func send(_ action: Action) -> Sent {
    let before = core.state
    var after: State?
    let task = core.receive(action, in: nil) {
      deliver()
    } didReduce: { action in
      // What comes after the first was sent by effects that need no time.
      if after == nil { after = core.state } else { log.didReceive(action, state: core.state) }
    }
    return Sent(before: before, after: after ?? before, task: task)
  }

  private func receive(_ action: Action, in flight: Flight) {
    _ = core.receive(action, in: flight) {
      deliver()
    } didReduce: { action in
      log.didReceive(action, state: core.state)
    }
  }

  private func deliver() -> StoreCore<State, Action>.Deliver {
    { [weak self] action, flight in await self?.receive(action, in: flight) }
  }
}
