import ComposableReducers
import ExampleSupport
import StandardDependencies

/// Draws random numbers in three levels of features: `random-numbers [SEED]`.
///
/// To learn about reducers from it, continue in this order: `RandomNumber` declares what the
/// features need; `Level2`, `Level1` and `Level0` each contain the previous one.
@main
enum RandomNumbers {
  static func main() async {
    await run(seed: CommandLine.arguments.dropFirst().first.flatMap { UInt64($0) })
  }

  static func run(seed: UInt64?) async {
    let seed = seed ?? .random(in: 0...9999)
    let output = DependencyScope.current.output
    output.print("random-numbers \(seed)")
    let store = withDependencies {
      $0.randomNumberGenerator = .seeded(seed)
    } operation: {
      Store(initialState: Level0State(), reducer: level0Reducer, environment: Level0Environment())
    }
    await store.send(.start).finish()
    output.print("ready: \(await store.state.isReady)")
    for _ in 1...5 {
      // The two share a generator, so wait for each effect to keep the order.
      await store.send(.level1(.first(.ask))).finish()
      await store.send(.level1(.second(.ask))).finish()
    }
    let level1 = await store.state.level1
    output.print("first, with the program's generator: \(level1.first.numbers)")
    output.print("second, with the dice of its branch: \(level1.second.numbers)")
  }
}
