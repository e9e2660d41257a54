import ComposableEnvironment
import Foundation

/// Serves requests, and counts what was read of the wrong request at each boundary.
///
/// To learn from it what to do where a task-local is lost, or is somebody else's, read on in this
/// order: `Dependencies`, what each request has of its own; `Server`, where the scope of a request
/// is entered; `Request`; and `Boundaries`, where each read is done both ways in the same place.
@main
enum RequestScopes {
  enum ExitStatus: Int32 {
    case success = 0
    case wrongReads = 1
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
    let tally = Tally()
    let load = Load(tally: tally, concurrency: options.concurrency)
    if let seconds = options.seconds {
      let serving = Task { await load.serve(1...Int.max) }
      let memory = await MemoryUse.measure(over: .seconds(seconds))
      serving.cancel()
      await serving.value
      if let memory { output.print("\(memory)") }
    } else {
      await load.serve(1...options.requests)
    }
    output.print(
      """
      \(tally[.sameTask].reads) requests, \(tally[.cleanup].reads) of them cancelled midway

      \(table(tally))
      """)
    return exitStatus(tally)
  }

  /// Success exactly where every read through the library was right.
  static func exitStatus(_ tally: Tally) -> ExitStatus {
    Boundary.allCases.allSatisfy { tally[$0].library == Wrong() } ? .success : .wrongReads
  }
}
