import ComposableReducers
import Foundation
import ExampleSupport

/// Draws random numbers in three levels of features.
///
/// To learn about reducers from it, continue in this order: `Dependencies` declares what the
/// features need; `Level2`, `Level1` and `Level0` each contain the previous one; `Session` runs
/// them in a store.
@main
enum RandomNumbers {
  enum ExitStatus: Int32 {
    case success = 0
    case cannotStart = 2
  }

  static func main() async {
    exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  static func run(_ arguments: [String]) async -> ExitStatus {
    let output = DependencyScope.current.output
    do {
      let options = try Options(arguments)
      if options.showsHelp {
        output.print(Options.usage)
        return .success
      }
      let seed = options.seed ?? .random(in: 0...9999)
      output.print("random-numbers --seed \(seed)")
      await withDependencies {
        $0.randomNumber = .seeded(seed)
      } operation: {
        await Session.run()
      }
      return .success
    } catch {
      output.printError("random-numbers: \(error)")
      return .cannotStart
    }
  }
}
