import ComposableEnvironment
import DependencyCarriers
import LinkChecking
import StandardDependencies

/// The parent program, from its arguments to its exit status.
enum WorkersCommand {
  static func run(_ arguments: [String]) async -> Command.ExitStatus {
    await Command.status(of: "workers") {
      let options = try WorkersOptions(arguments)
      if options.showsHelp {
        try DependencyScope.current.output.print(WorkersOptions.usage)
        return .success
      }
      return try await run(options)
    }
  }

  private static func run(_ options: WorkersOptions) async throws -> Command.ExitStatus {
    let (start, root) = try Command.start(options.path)
    let report = try await withDependencies {
      $0.rootFolder = root
      $0.processes = options.processes
      $0.tenant = options.tenant
      $0.deadline = options.deadline.map { .after($0) }
      $0.seed = options.seed
      $0.crashPercent = options.crashPercent
      $0.logsFiles = options.logs
    } operation: {
      try await withDeadline { try await WorkerPool().check(start) }
    }
    return try Command.print(report, asJSON: options.printsJSON)
  }

  /// Cancels an operation at the deadline of the current scope, or with the current task.
  private static func withDeadline(
    _ operation: @escaping @Sendable () async throws -> Report
  ) async throws -> Report {
    let work = Task { try await operation() }
    let scope = DependencyScope.current
    let timer = Task {
      guard let deadline = scope.deadline else { return }
      try await scope.continuousClock.sleep(for: deadline.remaining)
      work.cancel()
    }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }
}
