import ComposableEnvironment
import Foundation
import ExampleSupport

/// Serves requests, and counts the reads of another request's values at each boundary.
///
/// To learn what to do where a task-local is lost or belongs to another request, continue in this
/// order: `Dependencies` declares the values of each request; `Server` enters the scope of a
/// request; `Request` crosses the boundaries; and `Boundaries` reads both ways at each of them.
/// `Resources` contains what is opened for all requests, for some, or for one.
@main
enum RequestScopes {
  enum ExitStatus: Int32 {
    case success = 0
    case failure = 1
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
      return await run(options, output)
    } catch {
      output.printError("request-scopes: \(error)")
      return .cannotStart
    }
  }

  private static func run(_ options: Options, _ output: Output) async -> ExitStatus {
    let (tally, ledger) = (Tally(), Ledger())
    await withDependencies {
      $0.ledger = ledger
      $0.plantedLeak = options.leak
    } operation: {
      await serve(options, tally, output)
    }
    output.print(
      """
      \(tally[.sameTask].reads) requests, \(tally[.cleanup].reads) of them cancelled midway

      \(table(tally))

      \(table(ledger))
      """)
    return exitStatus(tally, ledger)
  }

  private static func serve(_ options: Options, _ tally: Tally, _ output: Output) async {
    let load = Load(tally: tally, concurrency: options.concurrency)
    if let seconds = options.seconds {
      let serving = Task { try await load.serve(1...Int.max) }
      let memory = await MemoryUse.measure(over: .seconds(seconds))
      serving.cancel()
      _ = await serving.result
      if let memory { output.print("\(memory)") }
    } else {
      try? await load.serve(1...options.requests)
    }
  }

  /// Success if every read through the library was right, and nothing is left open.
  static func exitStatus(_ tally: Tally, _ ledger: Ledger) -> ExitStatus {
    let isRight = Boundary.allCases.allSatisfy { tally[$0].library == Wrong() }
    return isRight && ledger.isBalanced ? .success : .failure
  }
}
