/// What the arguments of the program ask for.
struct Options {
  static let usage = """
    usage: benchmarks [name …] [--quick] [--check] [--allowance N] [--json] [--svg folder] [--list]

    Measures the library: each operation beside what it is compared to, in the same run.

      name            measure what has this name, or a name that begins with it and a slash;
                      everything if none is given
      --quick         take shorter samples
      --check         exit 1 where a result is beyond its limit
      --allowance N   let a ratio be N times its limit before it counts as beyond, because of
                      noise, and 2 ns more; 1, and none more, if not given
      --json          print JSON
      --svg folder    plot what the documentation shows, into files of this folder
      --list          print the names, and measure nothing
      --help          print this

    Times are in nanoseconds, the least and the median of many samples; RATIO compares the least.
    BLOCKS is how many blocks an operation allocates. Build it for release: swift run -c release.

    Exits 0 when it has measured, 1 where --check finds a result beyond its limit, and 2 where it
    does not understand its arguments or cannot write.
    """

  struct Failure: Error, CustomStringConvertible {
    let message: String
    var description: String { "\(message)\n\n\(usage)" }
  }

  var names: [String] = []
  var isQuick = false
  var checks = false
  var allowance = 1.0
  var printsJSON = false
  var svgFolder: String?
  var lists = false
  var showsHelp = false

  init(_ arguments: [String]) throws(Failure) {
    var arguments = arguments[...]
    while let argument = arguments.popFirst() {
      switch argument {
      case "--help", "-h": showsHelp = true
      case "--quick": isQuick = true
      case "--check": checks = true
      case "--json": printsJSON = true
      case "--list": lists = true
      case "--allowance":
        guard let number = arguments.popFirst().flatMap(Double.init), 1...100 ~= number
        else { throw Failure(message: "--allowance needs a number from 1 to 100") }
        allowance = number
      case "--svg":
        guard let folder = arguments.popFirst(), !folder.hasPrefix("-")
        else { throw Failure(message: "--svg needs a folder") }
        svgFolder = folder
      case _ where argument.hasPrefix("-"):
        throw Failure(message: "unknown option \(argument)")
      default:
        names.append(argument)
      }
    }
  }
}
