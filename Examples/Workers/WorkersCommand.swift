import ComposableEnvironment
import DependencyCarriers
import LinkChecking
import StandardDependencies

/// The parent program, from its arguments to its exit status.
enum WorkersCommand {
  static func run(_ arguments: [String]) async -> Command.ExitStatus {
    let output = DependencyScope.current.output
    do {
      let options = try WorkersOptions(arguments)
      if options.showsHelp {
        try output.print(WorkersOptions.usage)
        return .success
      }
      return try await run(options)
    } catch let failure as Output.Failure {
      output.printError("workers: \(failure)")
      return .cannotWrite
    } catch {
      output.printError("workers: \(error)")
      return .cannotStart
    }
  }

  private static func run(_ options: WorkersOptions) async throws -> Command.ExitStatus {
    let current = DependencyScope.current
    let start = options.path.map(current.baseFolder.resolving) ?? Command.currentPackage
    guard let kind = current.fileSystem.kind(start) else {
      throw WorkersOptions.Failure(message: "there is no file or folder \(start.string)")
    }
    if kind == .other {
      throw WorkersOptions.Failure(message: "\(start.string) is neither a file nor a folder")
    }
    let report = try await withDependencies {
      $0.rootFolder = kind == .folder ? start : start.folder
      $0.processes = options.processes
      $0.tenant = options.tenant
      $0.deadline = options.deadline.map { .after($0) }
      $0.seed = options.seed
      $0.crashPercent = options.crashPercent
      $0.logsFiles = options.logs
    } operation: {
      try await withDeadline { try await WorkerPool().check(start) }
    }
    try current.output.print(
      options.printsJSON
        ? report.json(relativeTo: current.baseFolder)
        : report.table(relativeTo: current.baseFolder))
    if report.isInterrupted { return .interrupted }
    return report.broken.isEmpty ? .success : .brokenLinks
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
