public import Observation

/// A store for a user interface, with synchronous reads and observation on the main actor.
///
/// ```swift
/// struct CounterView: View {
///   let store: ObservableStore<Counter, CounterAction>
///
///   var body: some View {
///     Button("\(store.count)") { store.send(.tapped) }
///   }
/// }
/// ```
///
/// SwiftUI and UIKit observe what a body or a layout reads. Elsewhere, use `withObservationTracking`, or
/// follow the states of a ``Store``. Where SwiftUI can be imported, a store makes bindings, for example
/// `store.binding(\.name, send: Action.nameTyped)`; see <doc:UserInterfaces>.
///
/// It gives the same guarantees as ``Store`` about actions, scopes and effects.
///
/// Read as little as you need, because what you read decides when you are notified:
///
/// - A property of the state, as in `store.title` or `store[\.profile.name]`, notifies when an
///   action changes it. After it is read, the store compares it after each action until it changes.
/// - ``state`` notifies after every action; nothing is compared.
/// - A child store from ``child(state:action:)`` notifies when its part changes, even if you don't
///   retain it. After something reads it, the store compares the part after each action until what was
///   read changes.
///
/// Observers are notified after the change, in no particular order. Child stores that nothing observes
/// cost nothing. For a state with a property named `child`, `children` or `binding`, read the property
/// as `store[\.child]`.
///
/// Don't read the store's state while it reduces an action: such a read reports an issue, and returns
/// the initial state.
@MainActor
@dynamicMemberLookup
public final class ObservableStore<State: Sendable, Action: Sendable>: Observable {
  private enum Backing {
    case core(StoreCore<State, Action>)
    case part(PartOfState)
  }

  /// A child store's access to its parent: how it reads its part, and how it sends actions.
  struct PartOfState {
    let read: @MainActor () -> State
    /// Whether the part still exists.
    let exists: @MainActor () -> Bool
    /// Returns what is observed, which all child stores of the same part share.
    let observe: @MainActor (ObservedParts<State>) -> ObservedParts<State>
    let send: @MainActor (Action) -> StoreTask
  }

  private let backing: Backing
  private(set) var observedParts = ObservedParts<State>()
  private nonisolated let effects: EffectRegistry?

  /// Creates a store in the current scope.
  public init<Environment>(
    initialState: State,
    reducer: Reducer<State, Action, Environment>,
    environment: Environment
  ) {
    let core = StoreCore(initialState: initialState, reducer: reducer, environment: environment)
    backing = .core(core)
    effects = core.effects
    // A request that waits for the main actor must not keep a released store.
    core.effects.connect { [weak self] request in
      await MainActor.run { [weak self] in self?.receive(request) }
    }
  }

  init(_ part: PartOfState) {
    backing = .part(part)
    effects = nil
  }

  deinit {
    effects?.end()
  }

  /// The current state.
  ///
  /// Code that reads it is notified after each action. To be notified only of a change, read a
  /// property: `store.title`, or `store[\.title]`.
  public var state: State {
    observe()
    observedParts.readWhole()
    return currentState
  }

  /// The current state, read without being observed.
  var currentState: State {
    switch backing {
    case .core(let core): core.state
    case .part(let part): part.read()
    }
  }

  /// Whether the state still exists: `false` for a child store whose part was removed.
  var exists: Bool {
    if case .part(let part) = backing { part.exists() } else { true }
  }

  /// Sends an action, and reduces it before this call returns.
  ///
  /// If you send an action while another is being reduced, it waits for its turn.
  ///
  /// - Returns: The action's effects, to wait for or to cancel.
  @discardableResult
  public func send(_ action: Action) -> StoreTask {
    switch backing {
    case .core(let core): core.receive(action) { _ in didChange(core) }
    case .part(let part): part.send(action)
    }
  }

  /// Ends the store: cancels its effects, and waits until they have ended.
  ///
  /// From this call on, the store accepts no action: one that you send reports an issue. Its state can
  /// still be read. Call it before you close what the effects use, such as a session's database; see
  /// <doc:UserInterfaces>. Don't call it in an effect of this store, which would wait for itself.
  ///
  /// Only the store that you created can end. A call on a child store reports an issue.
  public func cancelAndFinish() async {
    switch backing {
    case .core(let core): await core.end()
    case .part:
      DependencyIssue(
        problem:
          "`cancelAndFinish()` was called on a child store of \(State.self), and does nothing.",
        remedy: """
          call it on the store that you created. To cancel the effects of a child, remove the child \
          from the state.
          """, at: nil
      ).report()
    }
  }

  private func receive(_ request: EffectRequest) {
    guard case .core(let core) = backing else { return }
    core.receive(request) { _ in didChange(core) }
  }

  private func didChange(_ core: StoreCore<State, Action>) {
    if observedParts.isEmpty { return }
    // Compare everything before notifying, because notified code may read and observe again.
    var observers: [Observers] = []
    observedParts.update(core.state, &observers)
    for observers in observers { observers.notify() }
  }

  /// Lets the parent check this store after each action, from now on.
  func observe() {
    if case .part(let part) = backing { observedParts = part.observe(observedParts) }
  }
}

extension ObservableStore {
  /// A part of the current state.
  ///
  /// Code that reads it is notified when an action changes it, and not of other changes. After it
  /// is read, the store compares it after each action until it changes.
  ///
  /// ```swift
  /// store[\.profile.name]
  /// ```
  public subscript<Value: Equatable>(keyPath: KeyPath<State, Value>) -> Value {
    observe()
    let value = currentState[keyPath: keyPath]
    observedParts.read(value, at: keyPath) { $0[keyPath: keyPath] }
    return value
  }

  /// A part of the current state that isn't `Equatable`.
  ///
  /// Code that reads it is notified after each action.
  public subscript<Value>(keyPath: KeyPath<State, Value>) -> Value {
    state[keyPath: keyPath]
  }

  /// A property of the current state.
  ///
  /// Code that reads it is notified when an action changes it, like code that reads `store[\.name]`.
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    self[keyPath]
  }

  /// A property of the current state that isn't `Equatable`.
  ///
  /// Code that reads it is notified after each action.
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    state[keyPath: keyPath]
  }
}
