import Synchronization

/// What happens in a test, in order, from whichever task.
final class Log: Sendable {
  private let contents = Mutex<[String]>([])

  var lines: [String] { contents.withLock { $0 } }
  func append(_ line: String) { contents.withLock { $0.append(line) } }
}
