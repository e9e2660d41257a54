/// A store that holds a feature's state, reduces actions, and runs their effects.
///
/// ```swift
/// let store = Store(initialState: Counter(), reducer: counter, environment: CounterEnvironment())
/// await store.send(.tapped).finish()
/// print(await store.state.number)
/// ```
///
/// The store reduces actions one at a time, in the order in which it receives them from any number
/// of tasks. An action sent while another is being reduced waits.
///
/// A store captures the scope that creates it, for environments that have none. When you release
/// the store, it cancels its effects. To wait until they have ended, call ``cancelAndFinish()``.
///
/// For a user interface that reads the state synchronously, use ``ObservableStore``.
public final actor Store<State: Sendable, Action: Sendable> {
  let core: StoreCore<State, Action>
  private let effects: EffectRegistry

  /// Creates a store in the current scope.
  public init<Environment>(
    initialState: State,
    reducer: Reducer<State, Action, Environment>,
    environment: Environment
  ) {
    let core = StoreCore(initialState: initialState, reducer: reducer, environment: environment)
    self.core = core
    self.effects = core.effects
    effects.connect { [weak self] in await self?.receive($0) }
  }

  deinit {
    effects.end()
  }

  /// The current state.
  public var state: State { core.state }

  /// The current state, and then the state after each action.
  ///
  /// Every action wakes the readers, even if it changes nothing. A reader that is slower than the
  /// actions skips states, and always receives the last one. The sequence ends when the store is
  /// released, or ended by ``cancelAndFinish()``.
  ///
  /// ```swift
  /// for await state in store.states { render(state) }
  /// ```
  ///
  /// To follow a part that changes rarely, use ``states(of:)``.
  public nonisolated var states: StateSequence<State> {
    StateSequence(open: { [weak self] in await self?.open { $0 } }, isSame: nil)
  }

  /// Returns the current value of a part of the state, and then each new value that differs.
  ///
  /// After every action, the store copies the part for each reader. In its own task, the reader keeps
  /// waiting if the part equals the last one that it received.
  ///
  /// ```swift
  /// for await title in store.states(of: \.title) { render(title) }
  /// ```
  public nonisolated func states<Part: Equatable & Sendable>(
    of part: @escaping @Sendable (State) -> Part
  ) -> StateSequence<Part> {
    StateSequence(open: { [weak self] in await self?.open(part) }, isSame: { $0 == $1 })
  }

  private func open<Part: Sendable>(
    _ part: @escaping @Sendable (State) -> Part
  ) -> AsyncStream<Part> {
    let readers = core.readers ?? StateReaders()
    // In a store that has ended, they end with this state.
    if !effects.hasEnded { core.readers = readers }
    return readers.add(of: part, from: core.state)
  }

  /// Sends an action, and returns after it is reduced.
  ///
  /// - Returns: The action's effects, to wait for or to cancel.
  @discardableResult
  public func send(_ action: Action) -> StoreTask {
    core.receive(action) { _ in core.readers?.notify(core.state) }
  }

  /// Ends the store: cancels its effects, and waits until they have ended.
  ///
  /// From this call on, the store accepts no action: one that you send reports an issue. Its state can
  /// still be read. Call it before you close what the effects use, such as a session's database; see
  /// <doc:UserInterfaces>. Don't call it in an effect of this store, which would wait for itself.
  public func cancelAndFinish() async {
    await core.end()
  }

  private func receive(_ request: EffectRequest) {
    core.receive(request) { _ in core.readers?.notify(core.state) }
  }
}

/// The effects that an action started in a store, and those that it canceled.
///
/// ```swift
/// await store.send(.refresh).finish()
/// ```
public struct StoreTask: Sendable {
  /// The group of the action; `nil` if it has no effects.
  private let group: RunningEffect?

  init(_ group: RunningEffect?) {
    self.group = group
  }

  /// Waits for every effect that the action started, including those started by their actions.
  ///
  /// It also waits until the effects that these actions canceled have ended, for example by
  /// ``Effect/cancel(id:)``, or because an action removed their state.
  ///
  /// If the waiting task is canceled, this call cancels the effects, and waits until they have
  /// ended. So a view's task that awaits an action cancels its effects when the view disappears.
  public func finish() async {
    await withTaskCancellationHandler {
      // Sound: the registry calls each closure once.
      unsafe await withUnsafeContinuation { end in whenFinished { unsafe end.resume() } }
    } onCancel: {
      cancel()
    }
  }

  /// Cancels every effect that the action started, including those that their actions start.
  ///
  /// From then on, the store ignores the actions of these effects, including those that it hasn't
  /// begun to reduce. To wait until the effects have ended, use ``cancelAndFinish()``.
  public func cancel() {
    group?.cancel()
  }

  /// Cancels every effect that the action started, and waits until they have ended.
  public func cancelAndFinish() async {
    cancel()
    await finish()
  }
}

extension StoreTask {
  /// The tasks of the effects that are under way, in the order in which they were made.
  package var effects: [ObjectIdentifier] {
    group.map { $0.registry.operations(of: $0) }?.map { ObjectIdentifier($0) } ?? []
  }

  /// Calls a closure when everything has ended, or is no longer waited for.
  package func whenFinished(_ notify: @escaping @Sendable () -> Void) {
    guard let group, group.registry.whenEnded(group, notify) else { return notify() }
  }
}
