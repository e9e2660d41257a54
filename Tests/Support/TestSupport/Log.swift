internal import Synchronization

/// A log of a test's events, from any task.
package final class Log: Sendable {
  private let contents = Mutex<[String]>([])

  package init() {}

  package var lines: [String] { contents.withLock { $0 } }
  package func append(_ line: String) { contents.withLock { $0.append(line) } }
}
