import ComposableEnvironment

/// One request, which crosses every boundary on its way to an answer.
struct Request: Sendable {
  let probe: Probe
  let server: Server
  let monitor: Monitor

  @concurrent func handle() async {
    await Task.yield()
    probe.read(at: .sameTask)
    if probe.id.isMultiple(of: 7) {
      await waitToBeCancelled()
      return
    }
    // Not in `fanOut`: on a busy machine the runtime of Swift 6.3 may crash where the scope of an
    // `async let` is left just as its task completes. This one's is left much later.
    async let sibling: Void = probe.read(at: .asyncLet)
    await server.openSession(probe)
    await fanOut()
    await callBack()
    await reportProgress()
    await retry()
    await monitor.perform { [probe, server] in await server.closeSession(probe.id) }
    await audit()
    await sibling
  }
}
