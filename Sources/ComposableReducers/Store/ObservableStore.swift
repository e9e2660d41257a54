public import Observation

/// A store for a user interface: its state is read synchronously on the main actor, and changes are
/// observed.
///
/// ```swift
/// let store = ObservableStore(initialState: App(), reducer: app, environment: AppEnvironment())
/// withObservationTracking {
///   label.text = store.state.title
/// } onChange: {
///   setNeedsLayout()
/// }
/// store.send(.titleTapped)
/// ```
///
/// What ``Store`` promises of actions, scopes and effects holds here too. ``state`` is told to have
/// changed after each action; a child store made by ``child(state:action:)`` only when its part is
/// another.
@MainActor
public final class ObservableStore<State: Sendable, Action: Sendable>: Observable {
  private enum Backing {
    case core(StoreCore<State, Action>)
    case part(State, send: @MainActor (Action) -> StoreTask)
  }

  /// What a child store makes of its parent's new state.
  private enum ChildUpdate {
    case isGone
    case isUnchanged
    case isChanged(notifications: [@MainActor () -> Void])
  }

  private var backing: Backing
  private var children: [@MainActor (State) -> ChildUpdate] = []
  private let registrar = ObservationRegistrar()
  private nonisolated let effects: EffectRunner<Action>?

  /// Makes a store, in the current scope.
  public init<Environment>(
    initialState: State,
    reducer: Reducer<State, Action, Environment>,
    environment: Environment
  ) {
    let core = StoreCore(initialState: initialState, reducer: reducer, environment: environment)
    backing = .core(core)
    effects = core.effects
  }

  private init(part: State, send: @escaping @MainActor (Action) -> StoreTask) {
    backing = .part(part, send: send)
    effects = nil
  }

  deinit {
    effects?.cancelAll()
  }

  /// The current state; observed by whoever reads it.
  public var state: State {
    registrar.access(self, keyPath: \.state)
    return currentState
  }

  /// The current state, read without being observed.
  private var currentState: State {
    switch backing {
    case .core(let core): core.state
    case .part(let state, _): state
    }
  }

  /// Sends an action, which is reduced when this returns; unless it is sent while another is being
  /// reduced, after which it is.
  ///
  /// - Returns: What the action has started; it can be waited for and cancelled.
  @discardableResult
  public func send(_ action: Action) -> StoreTask {
    switch backing {
    case .core(let core): receive(action, in: nil, core)
    case .part(_, let send): send(action)
    }
  }

  private func receive(
    _ action: Action, in flight: Flight?, _ core: StoreCore<State, Action>
  ) -> StoreTask {
    core.receive(action, in: flight) {
      { [weak self] action, flight in await self?.deliver(action, in: flight) }
    } didReduce: { _ in
      for notify in update() { notify() }
    }
  }

  private func deliver(_ action: Action, in flight: Flight) {
    guard case .core(let core) = backing else { return }
    _ = receive(action, in: flight, core)
  }

  /// Brings the child stores up to date; then, whoever is notified reads the new state everywhere.
  private func update() -> [@MainActor () -> Void] {
    var notifications = [notify]
    children.removeAll { update in
      switch update(currentState) {
      case .isGone:
        return true
      case .isUnchanged:
        return false
      case .isChanged(let more):
        notifications += more
        return false
      }
    }
    return notifications
  }

  private func notify() {
    registrar.withMutation(of: self, keyPath: \.state) {}
  }
}

extension ObservableStore {
  /// A store of a part of this one's state, which does not tell of changes elsewhere.
  ///
  /// It keeps this store alive.
  ///
  /// - Parameters:
  ///   - part: The part of the state, `\.profile` say.
  ///   - action: The action that holds the part's, `AppAction.profile` say.
  public func child<Part: Equatable & Sendable, PartAction: Sendable>(
    state part: @escaping @MainActor (State) -> Part,
    action: @escaping @MainActor (PartAction) -> Action
  ) -> ObservableStore<Part, PartAction> {
    let child = ObservableStore<Part, PartAction>(part: part(currentState)) {
      self.send(action($0))
    }
    children.append { [weak child] state in
      guard let child else { return .isGone }
      return child.replace(with: part(state))
    }
    return child
  }

  private func replace<ParentState, ParentAction>(
    with state: State
  ) -> ObservableStore<ParentState, ParentAction>.ChildUpdate where State: Equatable {
    guard state != currentState, case .part(_, let send) = backing else { return .isUnchanged }
    backing = .part(state, send: send)
    return .isChanged(notifications: update())
  }
}
