import ComposableEnvironment
import Foundation

/// The program, from its arguments to its exit status.
///
/// It reads the current scope. To run it with another file system or output, call it inside
/// `withDependencies`.
enum Command {
  enum ExitStatus: Int32 {
    case success = 0
    case brokenLinks = 1
    case cannotStart = 2
    case cannotWrite = 3
    case interrupted = 130
  }

  struct Mistake: Error {
    let message: String
  }

  static let usage = """
    usage: linkcheck [path] [--max-open-files N] [--help]

    Checks the links in a file, or in all visible Markdown and Swift files below a folder (by default
    the working folder), also those in doc comments and HTML. Reports links to a missing file,
    heading, element or label, and files that can't be read.

    Exits with 0 on success, 1 if a link is broken, 2 if it couldn't start, 3 if it couldn't write
    its report, and 130 if Ctrl-C stopped it.
    """

  static func run(_ arguments: [String]) async -> ExitStatus {
    let current = DependencyScope.current
    do {
      if arguments.contains("--help") {
        try current.output.print(usage)
        return .success
      }
      let (path, maxOpenFiles) = try parse(arguments)
      let start = current.baseFolder.resolving(path ?? ".")
      guard current.fileSystem.kind(start) != nil else {
        throw Mistake(message: "there is no file or folder \(start.string)")
      }
      let report = await withDependencies {
        if let maxOpenFiles { $0.maxOpenFiles = maxOpenFiles }
      } operation: {
        await LinkChecker().check(start)
      }
      try current.output.print(report.table(relativeTo: current.baseFolder))
      if report.isInterrupted { return .interrupted }
      return report.broken.isEmpty ? .success : .brokenLinks
    } catch let mistake as Mistake {
      current.output.printError("linkcheck: \(mistake.message)")
      return .cannotStart
    } catch {
      current.output.printError("linkcheck: cannot write: \(error.localizedDescription)")
      return .cannotWrite
    }
  }

  private static func parse(
    _ arguments: [String]
  ) throws(Mistake) -> (path: String?, maxOpenFiles: Int?) {
    var (path, maxOpenFiles): (String?, Int?)
    var arguments = arguments[...]
    while let argument = arguments.popFirst() {
      switch argument {
      case "--max-open-files":
        maxOpenFiles = arguments.popFirst().flatMap { Int($0) }
        guard let maxOpenFiles, maxOpenFiles > 0 else {
          throw Mistake(message: "--max-open-files needs a number from 1")
        }
      case _ where argument.hasPrefix("-"): throw Mistake(message: "unknown option \(argument)")
      case _ where path != nil: throw Mistake(message: "more than one path")
      default: path = argument
      }
    }
    return (path, maxOpenFiles)
  }
}
