import ComposableEnvironment
import StandardDependencies

extension Request {
  /// The timeout of the first attempt.
  static let firstTimeout = Duration.milliseconds(5)

  /// Calls something that never answers, twice: with a short timeout, and with the request's
  /// deadline.
  func retry() async {
    let timeouts = [Self.firstTimeout, DependencyScope.current.deadline]
    for (attempt, timeout) in timeouts.enumerated() {
      do {
        return try await withTimeout(timeout) {
          probe.read(at: .retriedChild)
          if attempt == 0 { await forever() }
        }
      } catch {
        DependencyScope.current.logger.log("attempt \(attempt + 1) took too long")
      }
    }
  }

  private func withTimeout(
    _ timeout: Duration, _ operation: @escaping @Sendable () async -> Void
  ) async throws {
    try await withThrowingTaskGroup { group in
      let clock = DependencyScope.current.continuousClock
      group.addTask {
        try await clock.sleep(for: timeout)
        throw TimedOut()
      }
      group.addTask { await operation() }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// Waits until the task is cancelled.
  private func forever() async {
    for await _ in AsyncStream.makeStream(of: Never.self).stream {}
  }
}

private struct TimedOut: Error {}
