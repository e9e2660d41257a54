/// What the arguments of the program ask for.
struct Options {
  static let usage = """
    usage: linkcheck [path] [--json] [--max-open-files N] [--help]

    Checks that relative links and #anchors of Markdown files and Swift doc comments point to
    something that exists, in a folder (by default this package) or in one file.

      --json               print one JSON object instead of a table
      --max-open-files N   read at most N files at the same time
      --help               print this

    Exits 0 where all is well, 1 where a link is broken, 2 where it could not start, and 130 where
    Ctrl-C stopped it.
    """

  struct Failure: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
  }

  var path: String?
  var printsJSON = false
  var maxOpenFiles: Int?
  var showsHelp = false

  init(_ arguments: [String]) throws(Failure) {
    var arguments = arguments[...]
    while let argument = arguments.popFirst() {
      switch argument {
      case "--json":
        printsJSON = true
      case "--help", "-h":
        showsHelp = true
      case "--max-open-files":
        guard let count = arguments.popFirst().flatMap({ Int($0) }), count > 0 else {
          throw Failure(message: "--max-open-files needs a number from 1\n\n\(Self.usage)")
        }
        maxOpenFiles = count
      case _ where argument.hasPrefix("-"):
        throw Failure(message: "unknown option \(argument)\n\n\(Self.usage)")
      default:
        guard path == nil else {
          throw Failure(message: "more than one path\n\n\(Self.usage)")
        }
        path = argument
      }
    }
  }
}
