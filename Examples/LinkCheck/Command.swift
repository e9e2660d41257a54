import ComposableEnvironment

/// The program, from its arguments to its exit status.
///
/// It is no environment: it reads the current scope, so it is enough to call it inside
/// `withDependencies` to run it with another file system or output.
enum Command {
  enum ExitStatus: Int32 {
    case success = 0
    case brokenLinks = 1
    case cannotStart = 2
    case interrupted = 130
  }

  static func run(_ arguments: [String]) async -> ExitStatus {
    let output = DependencyScope.current.output
    do {
      let options = try Options(arguments)
      if options.showsHelp {
        output.print(Options.usage)
        return .success
      }
      return try await run(options)
    } catch {
      output.printError("linkcheck: \(error)")
      return .cannotStart
    }
  }

  private static func run(_ options: Options) async throws(Options.Failure) -> ExitStatus {
    let current = DependencyScope.current
    let start = options.path.map(current.baseFolder.resolving) ?? currentPackage
    guard let kind = current.fileSystem.kind(start) else {
      throw Options.Failure(message: "there is no file or folder \(start.string)")
    }

    let report = await withDependencies {
      $0.rootFolder = kind == .folder ? start : start.folder
      if let maxOpenFiles = options.maxOpenFiles { $0.maxOpenFiles = maxOpenFiles }
    } operation: {
      await LinkChecker().check(start)
    }

    current.output.print(
      options.printsJSON
        ? report.json(relativeTo: current.baseFolder)
        : report.table(relativeTo: current.baseFolder))
    if report.isInterrupted { return .interrupted }
    return report.broken.isEmpty ? .success : .brokenLinks
  }

  /// The package that the working folder is in, or the working folder.
  private static var currentPackage: Path {
    let current = DependencyScope.current
    var folder = current.baseFolder
    while current.fileSystem.kind(folder.resolving("Package.swift")) != .file {
      if folder == "/" { return current.baseFolder }
      folder = folder.folder
    }
    return folder
  }
}
