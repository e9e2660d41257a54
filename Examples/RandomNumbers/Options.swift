/// The program's command-line options.
struct Options {
  static let usage = """
    usage: random-numbers [--seed N] [--help]

    Draws random numbers in two features, one of which uses dice.

      --seed N   draw the same numbers each time; by default, a seed is chosen and printed
      --help     print this

    Exits with 0 on success, and 2 if the arguments are invalid.
    """

  struct Failure: Error, CustomStringConvertible {
    let message: String
    var description: String { "\(message)\n\n\(usage)" }
  }

  var seed: UInt64?
  var showsHelp = false

  init(_ arguments: [String]) throws(Failure) {
    var arguments = arguments[...]
    while let argument = arguments.popFirst() {
      switch argument {
      case "--help", "-h":
        showsHelp = true
      case "--seed":
        guard let seed = arguments.popFirst().flatMap({ UInt64($0) }) else {
          throw Failure(message: "--seed needs a number from 0 to \(UInt64.max)")
        }
        self.seed = seed
      case _ where argument.hasPrefix("-"):
        throw Failure(message: "unknown option \(argument)")
      default:
        throw Failure(message: "unexpected argument \(argument)")
      }
    }
  }
}
