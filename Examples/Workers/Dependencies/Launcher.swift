import ComposableDependencies

/// Starts workers.
struct Launcher: DependencyKey {
  static let defaultValue = Launcher { try WorkerProcess().connection }

  var launch: @Sendable () throws -> WorkerConnection
}

/// A connection to a worker.
struct WorkerConnection: Sendable {
  /// Sends a line and returns its answer; `nil` if the worker has ended or the task is cancelled.
  var ask: @Sendable (_ line: String) async -> String?

  /// Ends the worker, either when it is idle or immediately, and returns when it has ended.
  var end: @Sendable (_ atOnce: Bool) async -> Void
}

private enum ProcessesKey: DependencyKey {
  static let defaultValue = 2
}

extension Dependencies {
  /// Starts workers.
  var launcher: Launcher {
    get { self[Launcher.self] }
    set { self[Launcher.self] = newValue }
  }

  /// The number of workers that run simultaneously.
  var processes: Int {
    get { self[ProcessesKey.self] }
    set { self[ProcessesKey.self] = newValue }
  }
}
