import ComposableReducers
import ComposableTesting
import TestSupport
import Testing

@Suite("A test store")
struct TestStoreTests {
  private let clock = TestClock()

  @Test("follows a feature step by step")
  func followed() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.queryChanged("a")) {
      $0.query = "a"
      $0.isLoading = true
    }
    await clock.advance(by: .milliseconds(299))
    await store.send(.queryChanged("ab")) { $0.query = "ab" }
    await clock.advance(by: .milliseconds(300))
    await store.receive(.loaded(["ab1", "ab2"])) {
      $0.isLoading = false
      $0.results = ["ab1", "ab2"]
    }
    #expect(store.state.results.count == 2)
    await store.finish()
  }

  @MainActor
  @Test("works the same on the main actor")
  func mainActor() async {
    let store = Search.store(.init(clock: clock))
    var updates = 0
    await store.send(.startTimer)
    for second in 1...3 {
      await clock.advance(by: .seconds(1))
      await store.receive(.ticked) {
        MainActor.assertIsolated()
        updates += 1
        $0.ticks = second
      }
    }
    #expect(updates == 3)
    await store.send(.stopTimer)
    await store.finish()
  }

  @Test("receives actions by case, with a payload or without, and by a condition")
  func casesAndConditions() async {
    let store = Search.store(.init(clock: clock))
    for query in ["a", "b", "c"] {
      await store.send(.queryChanged(query)) {
        $0.query = query
        $0.isLoading = true
      }
      await clock.run()
      let update = { (state: inout Search.State) in
        state.isLoading = false
        state.results = [query + "1", query + "2"]
      }
      switch query {
      case "a": await store.receive(Search.Action.toLoaded, update)
      case "b": await store.receive(Search.Action.toLoaded, ["b1", "b2"], update)
      default: await store.receive(where: { $0 != .clear }, update)
      }
    }
    await store.send(.twice)
    await store.receive(Search.Action.toTicked) { $0.ticks = 1 }
    await store.receive(Search.Action.toTicked) { $0.ticks = 2 }
    await store.finish()
  }

  @Test("waits for an effect that leaves the test's executor")
  func leavingTheExecutor() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.leave)
    await store.receive(.ticked) { $0.ticks = 1 }
    await store.finish()
  }

  @Test("an action's effects can be cancelled as the last thing that a test does")
  func cancelled() async {
    for _ in 0..<20 {
      let store = Search.store(.init(clock: clock))
      await store.send(.startTimer).cancel()
    }
  }

  @Test("effects, and the closures of assertions, run in the scope that created the store")
  func scopes() async {
    let reducer = Reducer<[String], String, Void> { state, action, _ in
      state.append(action)
      let reduced = DependencyScope.current.name
      guard action == "go" else { return .none }
      return .run { send in
        await Task.yield()
        await send("\(reduced) \(DependencyScope.current.name)")
      }
    }
    let store = withDependencies {
      $0.name = "store"
    } operation: {
      TestStore(initialState: [], reducer: reducer, environment: ())
    }
    await withDependencies {
      $0.name = "test"
    } operation: {
      await store.send("go") { $0 = [DependencyScope.current.name == "store" ? "go" : ""] }
      await store.receive("store store") {
        $0.append("\(DependencyScope.current.name) store")
      }
      store.assert { $0[0] = DependencyScope.current.name == "store" ? "go" : "" }
      #expect(DependencyScope.current.name == "test")
    }
    await store.finish()
  }

  @Test("a hundred concurrent stores don't disturb each other")
  func sideBySide() async {
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask {
          let clock = TestClock()
          let store = Search.store(.init(clock: clock))
          await store.send(.startTimer)
          for tick in 1...5 {
            await clock.advance(by: .seconds(1))
            await store.receive(.ticked) { $0.ticks = tick }
          }
          await store.send(.stopTimer)
          await store.finish()
        }
      }
    }
  }

  @Test("in closures, the state is the state before the action")
  func stateInClosures() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.ticked) { $0.ticks = store.state.ticks + 1 }
    await store.send(.twice)
    await store.receive(.ticked) { $0.ticks = store.state.ticks + 1 }
    await store.receive(.ticked) { $0.ticks = store.state.ticks + 1 }
    #expect(store.state.ticks == 3)
    store.exhaustivity = .off
    await store.send(.twice)
    await store.send(.queryChanged("a"))
    await clock.advance(by: .seconds(1))
    await store.receive(Search.Action.toLoaded) {
      #expect(store.state.ticks == 5)
      #expect(store.state.isLoading)
      $0.isLoading = false
    }
    await store.finish()
  }

  private enum SessionAction: Sendable, Equatable {
    final class Session: Sendable {
      deinit { Task {} }
    }

    case begin(Session)
    case next

    static func == (lhs: Self, rhs: Self) -> Bool { true }
  }

  @Test("frees an action whose `deinit` starts a task, after its effect")
  func freedAction() async {
    await withTestDependencies {
      let store = TestStore(
        initialState: 0, reducer: Reducer<Int, SessionAction, Void> { _, _, _ in .run { _ in } },
        environment: ())
      for _ in 0..<10 {
        await store.send(.begin(SessionAction.Session()))
        await store.send(.next)
      }
      await store.finish()
    }
  }
}
