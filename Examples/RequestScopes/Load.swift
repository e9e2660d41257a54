import ComposableEnvironment
import ComposableResources

/// Sends requests to a server.
struct Load: Sendable {
  let tally: Tally
  let concurrency: Int

  /// The number of requests that share a session.
  private var sessionSize: Int { min(5, concurrency) }

  /// Sends requests with these numbers until the task is cancelled, and waits for all answers.
  ///
  /// The pool and the cache are open for all of them, and close at the end.
  func serve(_ ids: ClosedRange<Int>) async throws {
    try await withDependencies {
      // Not longer, because a cancelled sleep occupies memory until it would have ended.
      $0.resourceClosingTime = .seconds(1)
    } operation: {
      try await withResources(PoolKey.self, CacheKey.self) { await send(ids) }
    }
  }

  private func send(_ ids: ClosedRange<Int>) async {
    let monitor = Monitor()
    let server = Server(tally: tally, monitor: monitor)
    // Not a child task, because it must run until the last request is answered.
    let monitoring = Task { await monitor.run() }
    await withTaskGroup(of: Void.self) { group in
      var (next, sessions) = (ids.lowerBound, 0)
      while next <= ids.upperBound, !Task.isCancelled {
        if sessions >= concurrency / sessionSize { await group.next() }
        let last = min(next + sessionSize - 1, ids.upperBound)
        group.addTask { [next] in await serveSession(next...last, server) }
        next = last + 1
        sessions += 1
      }
    }
    monitor.finish()
    await monitoring.value
  }

  /// Sends some requests concurrently, which share a session.
  private func serveSession(_ ids: ClosedRange<Int>, _ server: Server) async {
    // If the task is already cancelled, this opens nothing, and so sends nothing.
    try? await withResources(SessionKey.self) {
      await withTaskGroup { group in
        for id in ids { group.addTask { await server.accept(id).value } }
      }
    }
  }
}
