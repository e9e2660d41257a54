import ComposableReducers
import Synchronization
import TestSupport
import Testing

@Suite("Reducer tools: calling, onChange, printing")
struct ReducerToolsTests {
  private struct State: Equatable, Sendable {
    var number = 0
    var names = ["a", "b"]
  }

  private enum Action: Sendable {
    case add(Int)
    case rename
  }

  private static let reducer = Reducer<State, Action, Void> { state, action, _ in
    switch action {
    case .add(let number):
      state.number += number
      return number > 100 ? .send(.rename) : .none
    case .rename:
      state.names[1] = "c"
      return .none
    }
  }

  @Test("a reducer is called as a function, in its environment's scope")
  func calling() async {
    struct Environment: ComposableEnvironment {
      let scope = DependencyScope.current
    }
    let reducer = Reducer<Int, Int, Environment> { state, action, environment in
      state += action * environment.a + DependencyScope.current.a
      return .run { send in await send(DependencyScope.current.a) }
    }
    var state = 1
    let effect = reducer(&state, 2, Environment().with(\.a, 10))
    #expect(state == 31)
    let store = Store(
      initialState: 0,
      reducer: Reducer<Int, Int, Void> { state, action, _ in
        state += action
        return action == 0 ? effect : .none
      },
      environment: ())
    await store.send(0).finish()
    #expect(await store.state == 10, "the effect runs in the scope of the reducer")
  }

  @Test("the effects of a reducer that another one calls can be parts of its own effects")
  func effectsOfCalledReducer() async {
    let parent: Reducer<State?, Action, Void> = Self.reducer.optional()
    let store = Store(
      initialState: State?.some(State()),
      reducer: Reducer<State?, Action, Void> { state, action, environment in
        .concatenate(.run { _ in }, parent(&state, action, environment), .run { _ in })
      },
      environment: ())
    await store.send(.add(101)).finish()
    #expect(await store.state == State(number: 101, names: ["a", "c"]))
  }

  @Test(
    "onChange runs when an action has changed the value, with both values, and adds its effects")
  func onChange() async {
    let log = Mutex<[String]>([])
    let reducer = Self.reducer.onChange(of: \.number) { state, old, new, _ in
      log.withLock { $0.append("\(old) \(new)") }
      return new == 1 ? .send(.add(101)) : .none
    }
    let store = Store(initialState: State(), reducer: reducer, environment: ())
    await store.send(.add(0))
    await store.send(.add(1))
    await store.send(.rename)
    #expect(log.withLock { $0 } == ["0 1", "1 102"])
    #expect(await store.state == State(number: 102, names: ["a", "c"]))
  }

  @Test("printingChanges prints each action, and the lines of the state that differ")
  func printing() async {
    let texts = Mutex<[String]>([])
    let reducer = Self.reducer.printingChanges { text in texts.withLock { $0.append(text) } }
    let store = Store(initialState: State(), reducer: reducer, environment: ())
    await store.send(.add(7))
    await store.send(.rename)
    await store.send(.add(0))
    #expect(
      texts.withLock { $0 } == [
        """
        received add(7)
          -   number: 0,
          +   number: 7,
        """,
        """
        received rename
          -     "b",
          +     "c",
        """, "received add(0)\n  (no change)",
      ])
  }
}
