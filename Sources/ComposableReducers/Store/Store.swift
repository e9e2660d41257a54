/// Holds a feature's state, reduces the actions that are sent to it, and runs their effects.
///
/// ```swift
/// let store = Store(initialState: Counter(), reducer: counter, environment: CounterEnvironment())
/// await store.send(.tapped).finish()
/// print(await store.state.number)
/// ```
///
/// Actions are reduced one at a time, in the order in which the store receives them, from however many
/// tasks; one that is sent while another is being reduced waits.
///
/// A store captures the scope in which it is created, for environments that have none. When its last
/// reference is dropped, its effects are cancelled.
///
/// For a user interface that reads the state synchronously there is ``ObservableStore``.
public final actor Store<State: Sendable, Action: Sendable> {
  @usableFromInline let core: StoreCore<State, Action>
  @usableFromInline let effects: EffectRunner<Action>
  @usableFromInline let readers = StateReaders<State>()
  @usableFromInline var isRead = false

  /// Makes a store, in the current scope.
  @inlinable
  public init<Environment>(
    initialState: State,
    reducer: Reducer<State, Action, Environment>,
    environment: Environment
  ) {
    let core = StoreCore(initialState: initialState, reducer: reducer, environment: environment)
    self.core = core
    self.effects = core.effects
  }

  deinit {
    effects.cancelAll()
    readers.finish()
  }

  /// The current state.
  public var state: State { core.state }

  /// The current state, and then the state after every action that changes it.
  ///
  /// A reader that is slower than the changes skips to the newest, and always gets the last one. The
  /// sequence ends when the store goes. Where the state is `Equatable`, an action that leaves it as it
  /// was is no change.
  ///
  /// ```swift
  /// for await state in store.states { render(state) }
  /// ```
  public nonisolated var states: StateSequence<State> {
    StateSequence { [weak self] in await self?.read() }
  }

  private func read() -> AsyncStream<State> {
    isRead = true
    return readers.add(startingWith: core.state)
  }

  /// Sends an action, and returns when it has been reduced.
  ///
  /// - Returns: What the action has started; it can be waited for and cancelled.
  @inlinable
  @discardableResult
  public func send(_ action: Action) -> StoreTask {
    receive(action, in: nil)
  }

  @inlinable
  func receive(_ action: Action, in flight: Flight?) -> StoreTask {
    core.receive(action, in: flight) {
      deliver()
    } didReduce: { _ in
      if isRead { tellReaders() }
    }
  }

  @usableFromInline
  func deliver() -> StoreCore<State, Action>.Deliver {
    { [weak self] action, flight in
      _ = await self?.receive(action, in: flight)
    }
  }

  @usableFromInline
  func tellReaders() {
    readers.yield(core.state)
  }
}
