import ComposableDependencies
import DependencyCarriers
import Foundation

/// Counts words in a process of its own: one request a line, one answer a line.
enum Worker {
  /// Answers the lines of standard input until it ends.
  static func run() throws {
    let scope = DependencyScope.current.extracting(
      TenantKey.self, fromEnvironment: ProcessInfo.processInfo.environment)
    while let line = readLine() {
      let reply = scope.run { answer(to: line) }
      try FileHandle.standardOutput.write(contentsOf: Data((reply + "\n").utf8))
    }
  }

  /// Returns the answer to a request: the values that travel, a tab, and a percent-encoded path.
  static func answer(to request: String) -> String {
    let parts = request.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
    return DependencyScope.current
      .extracting(DeadlineKey.self, from: Baggage(String(parts[0])))
      .run { count(parts.last?.removingPercentEncoding ?? "") }
  }

  private static func count(_ file: String) -> String {
    let scope = DependencyScope.current
    if scope.deadline?.hasPassed == true { return "too late for \(scope.tenant)" }
    do {
      let words = try scope.readFile(file).split(whereSeparator: \.isWhitespace).count
      return "\(words) words for \(scope.tenant)"
    } catch {
      return "unreadable"
    }
  }
}
