import ComposableEnvironment

extension Request {
  /// A cancellation handler runs in the scope of the code that cancels, unless it is bound to one.
  func waitToBeCancelled() async {
    let scope = DependencyScope.current
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    continuation.onTermination = scope.bind { [probe] _ in probe.read(at: .onTermination) }
    monitor.submit { [probe, server] in await server.cancel(probe.id) }
    await withTaskCancellationHandler {
      for await _ in stream {}
    } onCancel: {
      scope.run { probe.read(at: .onCancel) }
    }
    probe.read(at: .cleanup)
    scope.logger.log("cancelled")
  }
}
