/// The program's command-line options.
struct Options {
  static let usage = """
    usage: benchmarks [name …] [--quick] [--check] [--allowance N] [--list]

    Measures the library. Each operation runs beside its yardstick, in the same run.

      name            measure the benchmarks with this name, or whose name starts with it and a slash;
                      all of them by default
      --quick         take shorter samples
      --check         exit with 1 if a result exceeds its limit, or if the machine was too busy to
                      tell
      --allowance N   let a ratio reach N times its limit, plus 2 ns, to allow for noise (default: 1,
                      without the 2 ns)
      --list          print the names, and measure nothing
      --help          print this

    Prints a table in Markdown. Times are in nanoseconds, memory in bytes: the minimum of many
    samples, and its ratio to the yardstick's minimum. "blocks" counts the heap blocks that an
    operation allocates. Build for release: swift run -c release benchmarks.

    Exits with 0 after measuring, 1 if --check finds a result beyond its limit or none that can be
    trusted, and 2 if the arguments are invalid or writing fails.
    """

  struct Failure: Error, CustomStringConvertible {
    let message: String
    var description: String { "\(message)\n\n\(usage)" }
  }

  var names: [String] = []
  var isQuick = false
  var checks = false
  var allowance = 1.0
  var lists = false
  var showsHelp = false

  init(_ arguments: [String]) throws(Failure) {
    var arguments = arguments[...]
    while let argument = arguments.popFirst() {
      switch argument {
      case "--help", "-h": showsHelp = true
      case "--quick": isQuick = true
      case "--check": checks = true
      case "--list": lists = true
      case "--allowance":
        guard let number = arguments.popFirst().flatMap(Double.init), 1...100 ~= number
        else { throw Failure(message: "--allowance needs a number from 1 to 100") }
        allowance = number
      case _ where argument.hasPrefix("-"):
        throw Failure(message: "unknown option \(argument)")
      default:
        names.append(argument)
      }
    }
  }
}
