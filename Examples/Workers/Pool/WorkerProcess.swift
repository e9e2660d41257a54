import ComposableDependencies
import DependencyCarriers
import Dispatch
import Foundation
import Synchronization

/// A worker in its own process, which runs this program with another argument.
final class WorkerProcess: Sendable {
  static let argument = "--worker"

  private static let starting = Mutex(())

  private let process = Process()
  private let input = Pipe()
  private let lines: AsyncStream<String>
  private let running = DispatchGroup()

  init() throws {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    // One at a time. Otherwise, a process could inherit the pipes of another that is starting,
    // which would then never see the end of its input.
    try Self.starting.withLock { _ in try start(continuation) }
  }

  private func start(_ lines: AsyncStream<String>.Continuation) throws {
    let output = Pipe()
    var environment = ProcessInfo.processInfo.environment
    DependencyScope.current.inject(
      TenantKey.self, LogsFilesKey.self, intoEnvironment: &environment)
    process.executableURL = Bundle.main.executableURL
    process.arguments = [Self.argument]
    process.environment = environment
    process.standardInput = input
    process.standardOutput = output
    for handle in [input.fileHandleForWriting, output.fileHandleForReading] {
      _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    running.enter()
    let running = running
    process.terminationHandler = { _ in running.leave() }
    do { try process.run() } catch {
      running.leave()
      throw error
    }
    Self.read(from: output.fileHandleForReading, into: lines)
  }

  var connection: WorkerConnection {
    WorkerConnection(ask: { await self.ask($0) }, end: { await self.end(atOnce: $0) })
  }

  private func ask(_ line: String) async -> String? {
    guard (try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))) != nil
    else { return nil }
    var answers = lines.makeAsyncIterator()
    return await answers.next()
  }

  private func end(atOnce: Bool) async {
    try? input.fileHandleForWriting.close()
    if atOnce, process.isRunning { process.terminate() }
    await withCheckedContinuation { continuation in
      running.notify(queue: .global()) { continuation.resume() }
    }
  }

  /// Uses one thread per worker, because reading blocks.
  private static func read(
    from handle: FileHandle, into lines: AsyncStream<String>.Continuation
  ) {
    Thread {
      var buffer = LineBuffer()
      // Not a method of the handle, which would wait until its buffer is full.
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = unsafe bytes.withUnsafeMutableBytes {
          unsafe Foundation.read(handle.fileDescriptor, $0.baseAddress, $0.count)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        for line in buffer.add(Data(bytes[..<count])) { lines.yield(line) }
      }
      lines.finish()
    }.start()
  }
}
