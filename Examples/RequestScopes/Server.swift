import ComposableEnvironment
import ComposableResources

/// Accepts requests, and handles each in its own scope.
actor Server {
  private let tally: Tally
  private let monitor: Monitor
  private var running: [Int: Task<Void, Never>] = [:]
  private var sessions: [Int: Session] = [:]

  init(tally: Tally, monitor: Monitor) {
    self.tally = tally
    self.monitor = monitor
  }

  func accept(_ id: Int) -> Task<Void, Never> {
    let request = Request(probe: Probe(id: id, tally: tally), server: self, monitor: monitor)
    let tenant = "tenant \(id % 5)"
    let task = Plain.$requestID.withValue(id) {
      withDependencies {
        $0.requestID = id
        $0.tenant = tenant
        // Not longer, because a cancelled sleep occupies memory until it would have ended.
        $0.deadline = .seconds(1)
        $0.logger = $0.logger.labeled("\(tenant), request \(id)")
      } operation: {
        Task {
          await serve(request)
          running[id] = nil
        }
      }
    }
    running[id] = task
    return task
  }

  /// Handles a request in a transaction, which commits unless the request was cancelled, and sends
  /// the response.
  private nonisolated func serve(_ request: Request) async {
    let response = try? await withResources(TransactionKey.self) {
      let response = await request.handle()
      try Task.checkCancellation()
      DependencyScope.current.transaction.succeed()
      return response
    }
    await response?.send()
  }

  /// Cancels a request on behalf of another, whose task then runs the handlers of the cancelled
  /// one.
  func cancel(_ id: Int) {
    running[id]?.cancel()
  }

  func openSession(_ probe: Probe) {
    probe.read(at: .actorHop)
    sessions[probe.id] = Session(probe: probe)
  }

  func closeSession(_ id: Int) {
    sessions[id] = nil
  }
}

/// An object that does work in its `deinit`, wherever its last reference is released.
private final class Session {
  private let probe: Probe
  private let environment = RequestEnvironment()

  init(probe: Probe) {
    self.probe = probe
  }

  deinit {
    probe.read(at: .deinitializer, library: environment.requestID)
  }
}
