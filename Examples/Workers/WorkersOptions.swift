import LinkChecking

/// The program's command-line options.
struct WorkersOptions {
  static let usage = """
    usage: workers [path] [--processes N] [--tenant NAME] [--deadline SECONDS] [--seed N]
                   [--crashes PERCENT] [--log] [--json] [--help]

    Checks links and prints the same result as linkcheck, but lets other processes do the work.

      --processes N       let N processes check files at the same time (default: 2)
      --tenant NAME       the customer that the check is for; each process names it in its log
      --deadline SECONDS  stop after this many seconds, in every process
      --seed N            the seed of all random numbers (default: 0)
      --crashes PERCENT   let a process exit instead of answering, in this share of its answers
      --log               let each process log the files that it checks to standard error
      --json              print one JSON object instead of a table
      --help              print this

    Exits with 0 on success, 1 if a link is broken, 2 if it couldn't start, 3 if it couldn't write
    its report, and 130 if Ctrl-C or the deadline stopped it.
    """

  struct Failure: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
  }

  var path: String?
  var processes = 2
  var tenant: String?
  var deadline: Duration?
  var seed: UInt64 = 0
  var crashPercent = 0
  var logs = false
  var printsJSON = false
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
      case .option("--log"): logs = true
      case .option("--help"), .option("-h"): showsHelp = true
      case .option("--tenant"): tenant = try arguments.value("a name") { $0 }
      case .option("--processes"):
        processes = try arguments.value("a number from 1 to 64") { Self.number($0, in: 1...64) }
      case .option("--deadline"):
        deadline = try arguments.value("a number of seconds") { text in
          Double(text).flatMap { 0...1e6 ~= $0 ? .seconds($0) : nil }
        }
      case .option("--seed"): seed = try arguments.value("a number from 0") { UInt64($0) }
      case .option("--crashes"):
        crashPercent = try arguments.value("a number from 0 to 100") {
          Self.number($0, in: 0...100)
        }
      case .option(let name): throw Arguments.Mistake("unknown option \(name)")
      case .plain(let text):
        if path != nil { throw Arguments.Mistake("more than one path") }
        path = text
      }
    }
  }

  private static func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { range ~= $0 ? $0 : nil }
  }
}
