import ComposableReducers
import ExampleSupport

/// Sends a few actions, and prints a line for each result.
enum Session {
  static func run() async {
    let output = DependencyScope.current.output
    let store = Store(
      initialState: Level0State(), reducer: level0Reducer, environment: Level0Environment())

    output.print(readiness(await store.state))
    await store.send(.start)
    // A reader of states may skip some, but never the last one, so it can wait for a state that
    // stays.
    for await state in store.states where state.isReady {
      output.print(readiness(state))
      break
    }

    for _ in 1...5 {
      // The two share a generator, so wait for each effect to keep the order.
      await store.send(.level1(.first(.ask))).finish()
      output.print("  first   \(lastNumber(await store.state.level1.first))")
      await store.send(.level1(.second(.ask))).finish()
      output.print("  second  \(lastNumber(await store.state.level1.second))")
    }

    let level1 = await store.state.level1
    output.print("first, with the program's generator: \(list(level1.first))")
    output.print("second, with the dice of its branch: \(list(level1.second))")
  }

  private static func readiness(_ state: Level0State) -> String {
    state.isReady ? "level 0 is ready" : "level 0 is not ready yet"
  }

  private static func lastNumber(_ state: Level2State) -> String {
    state.numbers.last.map { "\($0)" } ?? "nothing"
  }

  private static func list(_ state: Level2State) -> String {
    state.numbers.map { "\($0)" }.joined(separator: " ")
  }
}
