import ComposableReducers
import ComposableTesting
import TestSupport
import Testing

@Suite("A test store")
struct TestStoreTests {
  private let clock = TestClock()

  @Test("a feature is followed step by step")
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
  @Test("it is used in the same way on the main actor")
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

  @Test("actions are received by their case, with a payload or without, and by a condition")
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
      case "a": await store.receive(/Search.Action.loaded, update)
      case "b": await store.receive(/Search.Action.loaded, ["b1", "b2"], update)
      default: await store.receive(where: { $0 != .clear }, update)
      }
    }
    await store.send(.twice)
    await store.receive(/Search.Action.ticked) { $0.ticks = 1 }
    await store.receive(/Search.Action.ticked) { $0.ticks = 2 }
    await store.finish()
  }

  @Test("what is sent without any work is received after the action that caused it")
  func sentAtOnce() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.twice)
    #expect(store.state.ticks == 0)
    await store.receive(.ticked) { $0.ticks = 1 }
    await store.receive(.ticked) { $0.ticks = 2 }
    await store.finish()
  }

  @Test("an effect that leaves the executor of the test is waited for")
  func leavingTheExecutor() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.leave)
    await store.receive(.ticked) { $0.ticks = 1 }
    await store.finish()
  }

  @Test("an error of an effect is received as the action that it becomes")
  func errors() async {
    let store = Search.store(.init(clock: clock, find: { _ in throw Search.Failed() }))
    await store.send(.queryChanged("a")) {
      $0.query = "a"
      $0.isLoading = true
    }
    await clock.advance(by: .seconds(1))
    await store.receive(/Search.Action.failed, "Failed()") { $0.isLoading = false }
    await store.finish()
  }

  @Test("what an action has started can be cancelled")
  func cancelled() async {
    let store = Search.store(.init(clock: clock))
    let timer = await store.send(.startTimer)
    timer.cancel()
    await store.finish()
  }

  @Test("effects run in the scope in which the store was made, and the test in its own")
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
      await store.send("go") { $0 = [DependencyScope.current.name == "test" ? "go" : ""] }
      await store.receive("store store") { $0.append("store store") }
    }
    await store.finish()
  }

  @Test("a test that asserts only a part says so")
  func nonExhaustive() async {
    let store = Search.store(.init(clock: clock))
    store.exhaustivity = .off
    await store.send(.queryChanged("a")) { $0.query = "a" }
    await store.send(.twice)
    await store.send(.startTimer)
    await clock.advance(by: .seconds(2))
    await store.receive(/Search.Action.loaded) { $0.results = ["a1", "a2"] }
    #expect(store.state.ticks == 2)
    await store.receive(.ticked) { $0.ticks += 1 }
    await store.skipReceivedActions()
    #expect(store.state.ticks == 4)
  }

  @Test("a hundred stores side by side do not disturb each other")
  func sideBySide() async {
    await withTaskGroup { group in
      for number in 0..<100 {
        group.addTask {
          let clock = TestClock()
          let store = Search.store(.init(clock: clock))
          await store.send(.startTimer)
          await store.send(.queryChanged("\(number)")) {
            $0.query = "\(number)"
            $0.isLoading = true
          }
          await clock.advance(by: .milliseconds(500))
          await store.receive(.loaded(["\(number)1", "\(number)2"])) {
            $0.isLoading = false
            $0.results = ["\(number)1", "\(number)2"]
          }
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

  @Test("a store each in a hundred cases of a test", arguments: 0..<100)
  func manyCases(number: Int) async {
    let store = Search.store(.init(clock: clock))
    await store.send(.startTimer)
    await clock.advance(by: .seconds(number % 7))
    for tick in 0..<(number % 7) { await store.receive(.ticked) { $0.ticks = tick + 1 } }
    await store.send(.stopTimer)
    await store.finish()
  }
}
