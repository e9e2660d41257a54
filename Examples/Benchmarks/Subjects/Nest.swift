import ComposableReducers

/// A counter, nested in parents for any number of pullbacks.
enum Nest {
  struct Counter: Sendable { var taps = 0 }

  struct Parent<Child: Sendable>: Sendable {
    var child: Child
    var other = 0
  }

  enum CounterAction: Sendable { case tapped, reset }

  enum ParentAction<ChildAction: Sendable>: Sendable {
    case child(ChildAction), other

    static var child: CasePath<ParentAction, ChildAction> {
      CasePath(
        embed: { .child($0) }, extract: { if case .child(let action) = $0 { action } else { nil } })
    }
  }

  struct Environment: ComposableEnvironment {
    let scope = DependencyScope.current
  }

  /// A feature with an initial state and an action to send.
  struct Level<State: Sendable, Action: Sendable> {
    let state: State
    let action: Action
    let reducer: Reducer<State, Action, Environment>
    /// In its own scope, so that it is entered.
    let environment = Environment().with(\.number, 1)

    var pulledBack: Level<Parent<State>, ParentAction<Action>> {
      Level<Parent<State>, ParentAction<Action>>(
        state: Parent(child: state),
        action: .child(action),
        reducer: reducer.pullback(
          state: \Parent<State>.child,
          action: ParentAction<Action>.child,
          environment: { [environment] _ in environment }))
    }

    /// Sends the action from a number of tasks concurrently.
    func send(from tasks: Int = 1) -> Workload {
      let store = Store(initialState: state, reducer: reducer, environment: Environment())
      return Workload(suspending: { count in
        if tasks == 1 { return await send(count, to: store) }
        await withTaskGroup(of: Void.self) { group in
          for task in 0..<tasks {
            let share = (task + 1) * count / tasks - task * count / tasks
            group.addTask { await send(share, to: store) }
          }
        }
      })
    }

    private func send(_ count: Int, to store: Store<State, Action>) async {
      for _ in 0..<count { await store.send(action) }
    }
  }

  static let counter = Level(
    state: Counter(),
    action: CounterAction.tapped,
    reducer: Reducer { state, action, _ in
      switch action {
      case .tapped: state.taps += 1
      case .reset: state.taps = 0
      }
      return .none
    })
}
