/// The program's command-line options.
struct Options {
  static let usage = """
    usage: request-scopes [--requests N] [--concurrency N] [--seconds N] [--leak WHAT] [--help]

    Serves requests, each in its own scope. Counts the reads that returned another request's value,
    and the reads that returned no value, through plain task-locals and through scopes.

    The program opens a pool and a cache, five requests share a session, and each request has a
    transaction that is rolled back if the request is cancelled. A ledger counts what is opened
    and closed, and must balance at the end.

      --requests N      serve N requests (default: 1000)
      --concurrency N   handle at most N requests at the same time (default: 100)
      --seconds N       serve requests for N seconds instead, and report how memory grew
      --leak WHAT       forget to close WHAT, so that the ledger reports it: \(leaks)
      --help            print this

    Exits with 0 if every read through scopes was right and the ledger balances, 1 otherwise, and 2
    if the arguments are invalid.
    """

  private static let leaks = PlantedLeak.allCases.map(\.rawValue).joined(separator: ", ")

  struct Failure: Error, CustomStringConvertible {
    let message: String
    var description: String { "\(message)\n\n\(usage)" }
  }

  var requests = 1000
  var concurrency = 100
  var seconds: Int?
  var leak: PlantedLeak?
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
      case "--leak":
        leak = arguments.popFirst().flatMap { PlantedLeak(rawValue: $0) }
        if leak == nil { throw Failure(message: "--leak needs one of \(Self.leaks)") }
      case _ where argument.hasPrefix("-"):
        throw Failure(message: "unknown option \(argument)")
      default:
        throw Failure(message: "unexpected argument \(argument)")
      }
    }
  }
}
