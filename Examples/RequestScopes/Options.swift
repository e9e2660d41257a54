/// What the arguments of the program ask for.
struct Options {
  static let usage = """
    usage: request-scopes [--requests N] [--concurrency N] [--seconds N] [--help]

    Serves requests, each in a scope of its own, and counts the reads that saw another request's
    value and those that saw none, through plain task-locals and through scopes.

      --requests N      serve N requests, 1000 if not given
      --concurrency N   handle at most N requests at the same time, 100 if not given
      --seconds N       serve requests for N seconds instead, and tell how the memory grew
      --help            print this

    Exits 0 where every read through scopes was right, 1 where one was not, and 2 where it does not
    understand its arguments.
    """

  struct Failure: Error, CustomStringConvertible {
    let message: String
    var description: String { "\(message)\n\n\(usage)" }
  }

  var requests = 1000
  var concurrency = 100
  var seconds: Int?
  var showsHelp = false

  init(_ arguments: [String]) throws(Failure) {
    var arguments = arguments[...]
    func count(_ option: String) throws(Failure) -> Int {
      guard let count = arguments.popFirst().flatMap({ Int($0) }), 1...1_000_000_000 ~= count
      else { throw Failure(message: "\(option) needs a number from 1 to 1000000000") }
      return count
    }
    while let argument = arguments.popFirst() {
      switch argument {
      case "--help", "-h": showsHelp = true
      case "--requests": requests = try count(argument)
      case "--concurrency": concurrency = try count(argument)
      case "--seconds": seconds = try count(argument)
      case _ where argument.hasPrefix("-"):
        throw Failure(message: "unknown option \(argument)")
      default:
        throw Failure(message: "unexpected argument \(argument)")
      }
    }
  }
}
