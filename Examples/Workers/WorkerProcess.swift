import ComposableDependencies
import DependencyCarriers
import Dispatch
import Foundation
import Synchronization

/// A connection to a worker.
struct WorkerConnection: Sendable {
  /// Sends a line and returns its answer; `nil` if the worker has ended.
  var ask: @Sendable (_ line: String) async -> String?
  /// Ends the worker.
  var end: @Sendable () async -> Void
}

private enum LaunchWorkerKey: DependencyKey {
  static let defaultValue: @Sendable () throws -> WorkerConnection = {
    try WorkerProcess().connection
  }
}

extension Dependencies {
  /// Starts a worker.
  var launchWorker: @Sendable () throws -> WorkerConnection {
    get { self[LaunchWorkerKey.self] }
    set { self[LaunchWorkerKey.self] = newValue }
  }
}

/// A worker in its own process, which runs this program with another argument.
final class WorkerProcess: Sendable {
  static let argument = "--worker"

  private static let starting = Mutex(())

  private let process: Process
  private let input: Pipe
  private let output: Pipe
  /// A queue of its own, because reading blocks its thread.
  private let queue = DispatchQueue(label: "worker")

  init() throws {
    // One at a time, with its pipes. Otherwise, a process could inherit the pipes of another that is
    // starting, which would then never see the end of its input.
    (process, input, output) = try Self.starting.withLock { _ in
      let (process, input, output) = (Process(), Pipe(), Pipe())
      var environment = ProcessInfo.processInfo.environment
      DependencyScope.current.inject(TenantKey.self, intoEnvironment: &environment)
      process.environment = environment
      process.executableURL = Bundle.main.executableURL
      process.arguments = [Self.argument]
      process.standardInput = input
      process.standardOutput = output
      for handle in [input.fileHandleForWriting, output.fileHandleForReading] {
        _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
      }
      try process.run()
      return (process, input, output)
    }
  }

  var connection: WorkerConnection {
    WorkerConnection(
      ask: { line in await self.onQueue { self.ask(line) } },
      end: {
        await self.onQueue {
          try? self.input.fileHandleForWriting.close()
          self.process.waitUntilExit()
        }
      })
  }

  private func ask(_ line: String) -> String? {
    guard (try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))) != nil
    else { return nil }
    // A worker writes an answer at once, and there is only one, so this is all of it.
    let answer = output.fileHandleForReading.availableData
    return answer.isEmpty ? nil : String(decoding: answer.dropLast(), as: UTF8.self)
  }

  private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}
