import ComposableEnvironment

@testable import request_scopes
import StandardDependencies
import ExampleSupport

/// The result of running the program with some arguments.
struct Transcript {
  var status: RequestScopes.ExitStatus
  var standardOutput: [String]
  var standardError: [String]
  var log: [String]
}

/// Runs the program on a clock whose waits take no time.
func run(_ arguments: [String]) async -> Transcript {
  let (output, errors, log) = (Lines(), Lines(), Lines())
  let status = await withDependencies {
    $0.continuousClock = ImpatientClock()
    $0.output = Output(print: output.append, printError: errors.append)
    $0.logger = Logger(log: log.append)
  } operation: {
    await RequestScopes.run(arguments)
  }
  return await Transcript(
    status: status, standardOutput: output.all(), standardError: errors.all(), log: log.all())
}

/// A stream, because ThreadSanitizer doesn't see the effect of a contended `Mutex` on Linux.
private struct Lines {
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  func append(_ line: String) {
    continuation.yield(line)
  }

  func all() async -> [String] {
    continuation.finish()
    return await stream.reduce(into: []) { $0.append($1) }
  }
}

/// A clock on which a first attempt times out immediately, and a longer one never does.
struct ImpatientClock: Clock {
  let now = ContinuousClock.now
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    if now.duration(to: deadline) <= Request.firstTimeout { return }
    for await _ in AsyncStream.makeStream(of: Never.self).stream {}
    throw CancellationError()
  }
}
