import ComposableEnvironment

extension Request {
  /// The body of a response runs after the handler has returned, in a task of the connection, unless
  /// it is bound to a scope.
  func response() -> Response {
    Response(
      body: DependencyScope.current.bind { @concurrent [probe] (lines: inout [String]) in
        await Task.yield()
        probe.read(at: .responseBody)
        lines.append("answered request \(probe.id)")
      })
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
