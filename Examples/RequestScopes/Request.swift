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
    await server.openSession(probe)
    await fanOut()
    await callBack()
    await reportProgress()
    await retry()
    await monitor.perform { [probe, server] in await server.closeSession(probe.id) }
    await audit()
  }
}
