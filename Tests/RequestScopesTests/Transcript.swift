import ComposableEnvironment
import Synchronization
import TestSupport

@testable import request_scopes

/// What the program did with some arguments.
struct Transcript {
  var status: RequestScopes.ExitStatus
  var standardOutput: [String]
  var standardError: [String]
  var log: [String]
}

/// Runs the program, and lets the first attempt of so many requests time out.
func run(_ arguments: [String], attempts: Int = 0) async -> Transcript {
  let clock = ManualClock()
  let (output, errors, log) = (Lines(), Lines(), Lines())
  async let timeouts: Void = letFirstAttemptsTimeOut(attempts, clock)
  let status = await withDependencies {
    $0.clock = clock
    $0.output = Output(print: output.append, printError: errors.append)
    $0.logger = Logger(log: log.append)
  } operation: {
    await RequestScopes.run(arguments)
  }
  await timeouts
  return Transcript(
    status: status, standardOutput: output.all, standardError: errors.all, log: log.all)
}

/// Advances the clock each time that an attempt begins; there are two of each request.
func letFirstAttemptsTimeOut(_ requests: Int, _ clock: ManualClock) async {
  for sleeps in 0..<2 * requests {
    await clock.waitForSleeps(sleeps + 1)
    clock.advance(by: Request.firstTimeout)
  }
}

final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func append(_ line: String) { lines.withLock { $0.append(line) } }
}
