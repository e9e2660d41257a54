/// Waits until the task is cancelled.
package func untilCancelled() async {
  for await _ in AsyncStream.makeStream(of: Never.self).stream {}
}

/// Lets other tasks run for a while.
package func yield(_ times: Int) async {
  for _ in 0..<times { await Task.yield() }
}
