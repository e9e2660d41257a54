import ComposableReducers
import Synchronization

/// A store whose actions start effects, and the same work in bare tasks.
enum Effects {
  enum Action: Sendable {
    case none
    /// Effects that do nothing, run concurrently.
    case run(Int)
    /// Effects that sleep until they are canceled.
    case sleep(Int)
    case cancel
  }

  static func store() -> Store<Int, Action> {
    Store(initialState: 0, reducer: reducer, environment: ())
  }

  private static let reducer = Reducer<Int, Action, Void> { state, action, _ in
    switch action {
    case .none:
      state += 1
      return .none
    case .run(1):
      return .run { _ in }
    case .run(let count):
      return .merge((0..<count).map { _ in .run { _ in } })
    case .sleep(let count):
      let sleep = Effect<Action>.run { _ in try await Sleepers.sleep() }.cancellable(id: 0)
      return .merge((0..<count).map { _ in sleep })
    case .cancel:
      return .cancel(id: 0)
    }
  }

  /// Starts effects that do nothing, and waits for their end.
  static func running(_ number: Int) -> Workload {
    let store = store()
    return Workload(suspending: { count in
      for _ in 0..<count { await store.send(.run(number)).finish() }
    })
  }

  /// Starts tasks that do nothing from an actor, and waits for their end.
  static func bareRunning(_ number: Int) -> Workload {
    let bare = Bare()
    return Workload(suspending: { count in
      for _ in 0..<count {
        for task in await bare.run(number) { await task.value }
      }
    })
  }

  static let wraps: [(name: String, title: String, wrap: @Sendable (Effect<Int>) -> Effect<Int>)] =
    [
      ("concatenate", "concatenate", { .concatenate(.cancel(id: 1), $0, .cancel(id: 1)) }),
      ("map", "map and cancellable", { $0.map { $0 }.cancellable(id: 0) }),
    ]

  /// Runs an effect that is wrapped a number of times; the time is per level.
  static func nesting(
    _ depth: Int, _ wrap: @escaping @Sendable (Effect<Int>) -> Effect<Int>
  ) -> Workload {
    let store = Store(
      initialState: 0,
      reducer: Reducer<Int, Int, Void> { _, depth, _ in
        (0..<depth).reduce(.run { _ in }) { effect, _ in wrap(effect) }
      }, environment: ())
    return Workload(each: depth, suspending: { await store.send(depth).finish() })
  }

  /// A state that may contain another one.
  private struct Optionals: Sendable {
    var children: [Optionals] = []

    var child: Optionals? {
      get { children.first }
      set { children = newValue.map { [$0] } ?? [] }
    }
  }

  private indirect enum OptionalsAction: Sendable {
    case child(OptionalsAction), run

    static let toChild = CasePath(Self.child) {
      if case .child(let action) = $0 { action } else { nil }
    }
  }

  /// Runs an effect below a number of optional pullbacks.
  static func belowOptionals(_ depth: Int) -> Workload {
    let reducer = Reducer<Optionals, OptionalsAction, Void>.recursive { reducer in
      .combine(
        reducer.optional().pullback(
          state: \.child, action: OptionalsAction.toChild, environment: { $0 }),
        Reducer { _, action, _ in
          if case .run = action { .run { _ in } } else { .none }
        })
    }
    let (state, action) = (0..<depth).reduce((Optionals(), OptionalsAction.run)) { inner, _ in
      (Optionals(children: [inner.0]), .child(inner.1))
    }
    let store = Store(initialState: state, reducer: reducer, environment: ())
    return Workload(suspending: { count in
      for _ in 0..<count { await store.send(action).finish() }
    })
  }

  /// Starts a number of sleeping effects, and cancels them; the time is per effect.
  static func sleeping(_ number: Int) -> Workload {
    let store = store()
    return Workload(
      each: number,
      suspending: {
        let task = await store.send(.sleep(number))
        await store.send(.cancel)
        await task.finish()
      })
  }

  /// Starts a number of sleeping tasks, and cancels them; the time is per task.
  static func bareSleeping(_ number: Int) -> Workload {
    let bare = Bare()
    return Workload(
      each: number,
      suspending: {
        let tasks = await bare.sleep(number)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
      })
  }

  actor Bare {
    func run(_ number: Int) -> [Task<Void, Never>] {
      (0..<number).map { _ in Task {} }
    }

    func sleep(_ number: Int) -> [Task<Void, Never>] {
      (0..<number).map { _ in Task { try? await Sleepers.sleep() } }
    }
  }
}

/// Sleeping tasks that can be waited for.
enum Sleepers {
  private static let count = Atomic(0)

  static func sleep() async throws {
    count.add(1, ordering: .relaxed)
    defer { count.subtract(1, ordering: .relaxed) }
    try await Task.sleep(for: .seconds(100))
  }

  static func areThere(_ number: Int) async {
    while count.load(ordering: .relaxed) != number { await Task.yield() }
  }
}
