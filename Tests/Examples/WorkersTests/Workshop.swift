import ComposableDependencies
import ComposableTesting
import DependencyCarriers
import Synchronization

@testable import LinkChecking
@testable import workers
import StandardDependencies

/// Files in memory, and workers that are tasks with their own scope instead of processes.
final class Workshop: Sendable {
  /// What a worker does with a line before it answers.
  enum Fate {
    case answers
    case dies
    case babbles
    /// Waits until its task is cancelled, like a worker process that waits to be ended.
    case hangs
  }

  private struct State {
    var launches = 0
    var ended = 0
    var lines: [String] = []
    var output: [(String, Output.Stream)] = []
  }

  private let state = Mutex(State())
  private let files: [Path: String]
  private let fate: @Sendable (_ worker: Int, _ line: String) -> Fate

  init(
    _ files: [Path: String],
    fate: @escaping @Sendable (_ worker: Int, _ line: String) -> Fate = { _, _ in .answers }
  ) {
    self.files = files
    self.fate = fate
  }

  var launches: Int { state.withLock { $0.launches } }
  var ended: Int { state.withLock { $0.ended } }
  var lines: [String] { state.withLock { $0.lines } }

  func written(to stream: Output.Stream) -> String {
    state.withLock { $0.output.filter { $0.1 == stream }.map(\.0).joined() }
  }

  func run(_ arguments: String..., clock: any Clock<Duration> = TestClock()) async
    -> Command.ExitStatus
  {
    await withDependencies {
      use(&$0)
      $0.launcher = Launcher { self.launch() }
      $0.continuousClock = clock
    } operation: {
      await WorkersCommand.run(arguments)
    }
  }

  /// The output of linkcheck for the same files.
  func expected(_ arguments: String...) async -> String {
    let other = Workshop(files)
    _ = await withDependencies {
      other.use(&$0)
      $0.continuousClock = TestClock()
    } operation: {
      await Command.run(arguments)
    }
    return other.written(to: .standardOutput)
  }

  func use(_ dependencies: inout Dependencies) {
    dependencies.baseFolder = "/"
    dependencies.fileSystem = fileSystem
    dependencies.output = Output(showsProgress: false) { text, stream in
      self.state.withLock { $0.output.append((text, stream)) }
    }
  }

  private func launch() -> WorkerConnection {
    var environment: [String: String] = [:]
    DependencyScope.current.inject(
      TenantKey.self, LogsFilesKey.self, intoEnvironment: &environment)
    let number = state.withLock { state in
      state.launches += 1
      return state.launches
    }
    let scope = DependencyScope.root.with { use(&$0) }
    let worker = scope.run { Worker.starting(in: environment) }
    return WorkerConnection(
      ask: { line in
        self.state.withLock { $0.lines.append(line) }
        switch self.fate(number, line) {
        case .dies: return nil
        case .babbles: return "{"
        case .hangs:
          for await _ in AsyncStream<Never>.makeStream().stream {}
          return nil
        // Detached, because nothing of this task reaches another process.
        case .answers: return await Task.detached { await worker.answer(line) }.value
        }
      },
      end: { _ in self.state.withLock { $0.ended += 1 } })
  }

  private var fileSystem: FileSystem {
    let files = files
    struct Missing: Error {}
    var system = FileSystem.disk
    system.kind = { path in
      if files[path] != nil { return .file }
      let prefix = path == "/" ? "/" : path.string + "/"
      return files.keys.contains { $0.string.hasPrefix(prefix) } ? .folder : nil
    }
    let kind = system.kind
    system.entries = { folder in
      let names = Set(
        files.keys.compactMap { file -> String? in
          let relative = file.relative(to: folder)
          return relative.hasPrefix("/")
            ? nil : relative.split(separator: "/").first.map(String.init)
        })
      return names.map { FileSystem.Entry(name: $0, kind: kind(folder.resolving($0))) }
    }
    system.read = { file in
      guard let text = files[file] else { throw Missing() }
      return text
    }
    return system
  }
}

/// A number of files, each with a valid link, one to the first file, and a broken one.
func texts(_ count: Int) -> [Path: String] {
  Dictionary(
    uniqueKeysWithValues: (0..<count).map { index in
      (Path("/\(index)/a.md"), "[a](a.md) [b](../0/a.md#a) [c](\(index).md) [d](#nowhere)\n# A")
    })
}
