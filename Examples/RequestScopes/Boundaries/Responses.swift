import ComposableEnvironment

extension Request {
  /// The body of a response runs after the handler has returned, in a task of the connection, unless
  /// it enters a scope.
  func response() -> Response {
    let scope = DependencyScope.current
    return Response { [probe] lines in
      await scope.run {
        await Task.yield()
        probe.read(at: .responseBody)
        lines.append("answered request \(probe.id)")
      }
    }
  }
}

/// What a handler returns: a body that is written later.
struct Response: Sendable {
  let body: @Sendable @concurrent (inout [String]) async -> Void

  /// Writes the body as a server's connection does, which knows nothing of the request.
  func send() async {
    await Task.detached { [body] in
      var lines: [String] = []
      await body(&lines)
    }.value
  }
}
