import ComposableEnvironment

/// The program, from its arguments to its exit status.
///
/// It isn't an environment: it reads the current scope. To run it with another file system or
/// output, call it inside `withDependencies`.
package enum Command {
  package enum ExitStatus: Int32 {
    case success = 0
    case brokenLinks = 1
    case cannotStart = 2
    case cannotWrite = 3
    case interrupted = 130
  }

  package static func run(_ arguments: [String]) async -> ExitStatus {
    let output = DependencyScope.current.output
    do {
      let options = try Options(arguments)
      if options.showsHelp {
        try output.print(Options.usage)
        return .success
      }
      return try await run(options)
    } catch let failure as Output.Failure {
      output.printError("linkcheck: \(failure)")
      return .cannotWrite
    } catch {
      output.printError("linkcheck: \(error)")
      return .cannotStart
    }
  }

  private static func run(_ options: Options) async throws -> ExitStatus {
    let current = DependencyScope.current
    let start = options.path.map(current.baseFolder.resolving) ?? currentPackage
    guard let kind = current.fileSystem.kind(start) else {
      throw Options.Failure(message: "there is no file or folder \(start.string)")
    }
    if kind == .other {
      throw Options.Failure(message: "\(start.string) is neither a file nor a folder")
    }

    let report = await withDependencies {
      $0.rootFolder = kind == .folder ? start : start.folder
      if let maxOpenFiles = options.maxOpenFiles { $0.maxOpenFiles = maxOpenFiles }
    } operation: {
      await LinkChecker().check(start)
    }

    try current.output.print(
      options.printsJSON
        ? report.json(relativeTo: current.baseFolder)
        : report.table(relativeTo: current.baseFolder))
    if report.isInterrupted { return .interrupted }
    return report.broken.isEmpty ? .success : .brokenLinks
  }

  /// The package that contains the working folder, or the working folder.
  package static var currentPackage: Path {
    let current = DependencyScope.current
    var folder = current.baseFolder
    while current.fileSystem.kind(folder.resolving("Package.swift")) != .file {
      if folder == "/" { return current.baseFolder }
      folder = folder.folder
    }
    return folder
  }
}
