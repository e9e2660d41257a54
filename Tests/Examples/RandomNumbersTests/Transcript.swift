import ComposableReducers
import ComposableTesting
import Synchronization

@testable import random_numbers
import StandardDependencies
import ExampleSupport

/// The result of running the program with some arguments.
struct Transcript: Equatable {
  var status: RandomNumbers.ExitStatus
  var standardOutput: [String]
  var standardError: [String]
}

/// Runs the program on a clock whose waits take no time.
func run(_ arguments: [String]) async -> Transcript {
  let lines = Lines()
  let status = await withDependencies {
    $0.continuousClock = ImmediateClock()
    $0.output = Output(print: lines.standardOutput.append, printError: lines.standardError.append)
  } operation: {
    await RandomNumbers.run(arguments)
  }
  return Transcript(
    status: status,
    standardOutput: lines.standardOutput.all, standardError: lines.standardError.all)
}

func run(_ arguments: String...) async -> Transcript {
  await run(arguments)
}

private struct Lines {
  final class Stream: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
  }

  let standardOutput = Stream()
  let standardError = Stream()
}
