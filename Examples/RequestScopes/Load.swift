/// Sends requests to a server.
struct Load: Sendable {
  let tally: Tally
  let concurrency: Int

  /// Sends requests with these numbers, until the task is cancelled; returns when all are answered.
  func serve(_ ids: ClosedRange<Int>) async {
    let monitor = Monitor()
    let server = Server(tally: tally, monitor: monitor)
    // No child of this task, because it is needed until the last request is answered.
    let monitoring = Task { await monitor.run() }
    await withTaskGroup(of: Void.self) { group in
      for (started, id) in ids.enumerated() {
        if Task.isCancelled { break }
        if started >= concurrency { await group.next() }
        group.addTask { await server.accept(id).value }
      }
    }
    monitor.finish()
    await monitoring.value
  }
}
