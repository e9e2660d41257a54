/// The program's command-line options.
struct Options {
  static let usage = """
    usage: linkcheck [path] [--json] [--max-open-files N] [--help]

    Checks the links in one file, or in all files below a folder (by default this package) whose
    names end in .md, .markdown or .swift. Skips files and folders whose names begin with a dot, and
    doesn't follow symbolic links.

    Reads the links, images and references of Markdown, also in the doc comments of Swift, and the
    href and src attributes of HTML. Reports:

      - a relative link, or a link from the root of the check, to a file or folder that doesn't
        exist; in a DocC bundle, an image may also have the name of any asset in the bundle,
        without extension, scale and appearance
      - an #anchor without a matching heading or HTML element in the same file, in another Markdown
        file, or in an article that a doc: link names
      - a reference as in [text][label] to an undefined label
      - a file that can't be read

    Ignores links to the network and to symbols, and doc: links that don't name an article.

      --json               print one JSON object instead of a table
      --max-open-files N   read at most N files at the same time
      --help               print this
      --                   treat what follows as a path

    Exits with 0 on success, 1 if a link is broken, 2 if it couldn't start, 3 if it couldn't write
    its report, and 130 if Ctrl-C stopped it.
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
    do throws(Arguments.Mistake) {
      try read(arguments)
    } catch {
      throw Failure(message: "\(error.message)\n\n\(Self.usage)")
    }
  }

  private mutating func read(_ arguments: [String]) throws(Arguments.Mistake) {
    var arguments = Arguments(arguments)
    while let argument = try arguments.next() {
      switch argument {
      case .option("--json"): printsJSON = true
      case .option("--help"), .option("-h"): showsHelp = true
      case .option("--max-open-files"):
        maxOpenFiles = try arguments.value("a number from 1") { text in
          Int(text).flatMap { $0 > 0 ? $0 : nil }
        }
      case .option(let name): throw Arguments.Mistake("unknown option \(name)")
      case .plain(let text):
        if path != nil { throw Arguments.Mistake("more than one path") }
        path = text
      }
    }
  }
}
