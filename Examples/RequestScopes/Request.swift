import ComposableEnvironment

/// One request, which crosses every boundary on its way to an answer.
struct Request: Sendable {
  let probe: Probe
  let server: Server
  let monitor: Monitor

  /// Returns no response if the request is cancelled.
  @concurrent func handle() async -> Response? {
    await Task.yield()
    probe.read(at: .sameTask)
    DependencyScope.current.cache.visit(DependencyScope.current.tenant)
    if probe.id.isMultiple(of: 7) {
      await waitToBeCancelled()
      return nil
    }
    // Not in `fanOut`, because on a busy machine, the Swift 6.3 runtime may crash if the scope of
    // an `async let` ends just as its task completes. This one ends much later.
    async let sibling: Void = probe.read(at: .asyncLet)
    await server.openSession(probe)
    await fanOut()
    await callBack()
    await reportProgress()
    await retry()
    await monitor.perform { [probe, server] in await server.closeSession(probe.id) }
    await audit()
    await sibling
    return response()
  }
}
