import ComposableReducers
import ExampleSupport
import Foundation

/// Draws random numbers in three levels of features: `random-numbers [--seed N]`.
///
/// To learn about reducers from it, continue in this order: `RandomNumber` declares what the
/// features need; `Level2`, `Level1` and `Level0` each contain the previous one; `Session` runs
/// them in a store.
@main
enum RandomNumbers {
  static func main() async {
    exit(await run(Array(CommandLine.arguments.dropFirst())) ? 0 : 2)
  }

  /// Returns whether the arguments are valid.
  static func run(_ arguments: [String]) async -> Bool {
    let output = DependencyScope.current.output
    let seed: UInt64? =
      switch (arguments.first, arguments.count) {
      case (nil, _): .random(in: 0...9999)
      case ("--seed", 2): UInt64(arguments[1])
      default: nil
      }
    guard let seed else {
      output.print("usage: random-numbers [--seed N]")
      return false
    }
    output.print("random-numbers --seed \(seed)")
    await withDependencies {
      $0.randomNumber = .seeded(seed)
    } operation: {
      await Session.run()
    }
    return true
  }
}
