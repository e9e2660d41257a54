import ComposableEnvironment
import ComposableTesting
import Synchronization

@testable import linkcheck

/// Keeps what the program writes.
final class Recorder: Sendable {
  private let texts = Mutex<[(String, Output.Stream)]>([])

  func output(showsProgress: Bool = false) -> Output {
    Output(showsProgress: showsProgress) { text, stream in
      self.texts.withLock { $0.append((text, stream)) }
    }
  }

  var standardOutput: String { written(to: .standardOutput).joined() }
  var standardError: String { written(to: .standardError).joined() }

  func written(to stream: Output.Stream) -> [String] {
    texts.withLock { $0.filter { $0.1 == stream }.map(\.0) }
  }
}

/// Runs the program in `/`, with files in memory, a clock that stands still, and nothing else.
func run(
  _ arguments: String..., in files: InMemoryFiles, recorder: Recorder = Recorder(),
  showsProgress: Bool = false
) async -> (status: Command.ExitStatus, recorder: Recorder) {
  let status = await withDependencies {
    $0.fileSystem = files.fileSystem
    $0.output = recorder.output(showsProgress: showsProgress)
    $0.baseFolder = "/"
    $0.clock = TestClock()
  } operation: {
    await Command.run(arguments)
  }
  return (status, recorder)
}
