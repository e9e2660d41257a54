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
    await status(of: "linkcheck") {
      let options = try Options(arguments)
      if options.showsHelp {
        try DependencyScope.current.output.print(Options.usage)
        return .success
      }
      return try await run(options)
    }
  }

  private static func run(_ options: Options) async throws -> ExitStatus {
    let (start, root) = try start(options.path)
    let report = await withDependencies {
      $0.rootFolder = root
      if let maxOpenFiles = options.maxOpenFiles { $0.maxOpenFiles = maxOpenFiles }
    } operation: {
      await LinkChecker().check(start)
    }
    return try print(report, asJSON: options.printsJSON)
  }
}

/// The steps that the programs that check links have in common.
extension Command {
  /// Runs a program, and prints the error that it throws.
  package static func status(
    of program: String, _ run: () async throws -> ExitStatus
  ) async -> ExitStatus {
    let output = DependencyScope.current.output
    do {
      return try await run()
    } catch let failure as Output.Failure {
      output.printError("\(program): \(failure)")
      return .cannotWrite
    } catch {
      output.printError("\(program): \(error)")
      return .cannotStart
    }
  }

  /// Returns the file or folder to check, by default the current package, and the root of its links.
  package static func start(_ path: String?) throws(Arguments.Mistake) -> (start: Path, root: Path)
  {
    let current = DependencyScope.current
    let start = path.map(current.baseFolder.resolving) ?? currentPackage
    switch current.fileSystem.kind(start) {
    case .folder: return (start, start)
    case .file: return (start, start.folder)
    case .other: throw Arguments.Mistake("\(start.string) is neither a file nor a folder")
    case nil: throw Arguments.Mistake("there is no file or folder \(start.string)")
    }
  }

  /// Prints a report, and returns the status of the program.
  package static func print(_ report: Report, asJSON: Bool) throws -> ExitStatus {
    let current = DependencyScope.current
    try current.output.print(
      asJSON
        ? report.json(relativeTo: current.baseFolder)
        : report.table(relativeTo: current.baseFolder))
    if report.isInterrupted { return .interrupted }
    return report.broken.isEmpty ? .success : .brokenLinks
  }

  /// The package that contains the working folder, or the working folder.
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
