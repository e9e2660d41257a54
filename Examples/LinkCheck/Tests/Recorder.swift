import ComposableEnvironment
import ComposableTesting
import Synchronization

@testable import linkcheck
import StandardDependencies

/// Records what the program writes.
final class Recorder: Sendable {
  private let texts = Mutex((output: "", errors: ""))

  var output: Output {
    Output(
      print: { text in self.texts.withLock { $0.output += text + "\n" } },
      printError: { text in self.texts.withLock { $0.errors += text + "\n" } })
  }

  var standardOutput: String { texts.withLock { $0.output } }
  var standardError: String { texts.withLock { $0.errors } }
}

/// Runs the program in `/`, with files in memory and a clock that stands still.
func run(
  _ arguments: String..., in files: InMemoryFiles, recorder: Recorder = Recorder()
) async -> (status: Command.ExitStatus, recorder: Recorder) {
  await run(arguments, on: files.fileSystem, recorder)
}

/// Runs the program on any file system.
func run(
  _ arguments: String..., on fileSystem: FileSystem
) async -> (status: Command.ExitStatus, recorder: Recorder) {
  await run(arguments, on: fileSystem, Recorder())
}

private func run(
  _ arguments: [String], on fileSystem: FileSystem, _ recorder: Recorder
) async -> (status: Command.ExitStatus, recorder: Recorder) {
  let status = await withDependencies {
    $0.fileSystem = fileSystem
    $0.output = recorder.output
    $0.baseFolder = "/"
    $0.continuousClock = TestClock()
  } operation: {
    await Command.run(arguments)
  }
  return (status, recorder)
}
