import ComposableReducers
import Foundation

/// Measures the library, and checks whether it is as fast as required.
///
/// Continue in this order: `Harness` measures operations; `Suites` lists them, limits first;
/// `Subjects` contains the measured code.
@main
enum Benchmarks {
  enum ExitStatus: Int32 {
    case success = 0
    case beyondLimits = 1
    case cannotStart = 2
  }

  static func main() async {
    exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  /// Not on the main actor, which takes microseconds to switch to another task.
  @concurrent
  static func run(_ arguments: [String]) async -> ExitStatus {
    // The test clocks and stores that it measures make this a process that runs tests.
    Dependencies.useDefaultValues()
    do {
      let options = try Options(arguments)
      if options.showsHelp {
        print(Options.usage)
        return .success
      }
      return try await run(options)
    } catch let error as Catalog.UnknownName {
      printError("no benchmark is named \(error.name); --list prints the names")
    } catch {
      printError("\(error)")
    }
    return .cannotStart
  }

  private static func run(_ options: Options) async throws -> ExitStatus {
    let benchmarks = try Catalog.benchmarks(named: options.names)
    if options.lists {
      print(Table.list(benchmarks))
      return .success
    }
    #if DEBUG
      printError("this is a debug build. For all benchmarks: swift run -c release benchmarks")
    #endif
    let harness = options.isQuick ? Harness.quick : Harness()
    var results: [Result] = []
    print(Table.titles)
    for benchmark in benchmarks {
      let result = await harness.measure(benchmark)
      print(Table.line(result, allowance: options.allowance))
      results.append(result)
    }
    return options.checks ? check(results, allowance: options.allowance) : .success
  }

  private static func check(_ results: [Result], allowance: Double) -> ExitStatus {
    let busy = results.filter { !$0.canBeTrusted }
    for result in busy {
      printError("\(result.benchmark.name) can't be trusted: the machine is too busy")
    }
    let beyond = results.filter {
      $0.canBeTrusted && $0.isWithinLimits(allowance: allowance) == false
    }
    for result in beyond {
      printError("\(result.benchmark.name) exceeds its limit: \(result.benchmark.title)")
    }
    return beyond.isEmpty && busy.isEmpty ? .success : .beyondLimits
  }

  private static func printError(_ message: String) {
    FileHandle.standardError.write(Data("benchmarks: \(message)\n".utf8))
  }
}
