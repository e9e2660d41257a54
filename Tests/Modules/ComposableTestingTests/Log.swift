import Synchronization

/// A log of a test's events, from any task.
final class Log: Sendable {
  private let contents = Mutex<[String]>([])

  var lines: [String] { contents.withLock { $0 } }
  func append(_ line: String) { contents.withLock { $0.append(line) } }
}
