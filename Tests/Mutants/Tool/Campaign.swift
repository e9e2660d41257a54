import Foundation

/// What became of a mutant.
struct Verdict {
  enum Outcome: String { case killed, timeout, survived, unreached }

  let outcome: Outcome
  /// The suite and the test that found it.
  var suite = ""
  var test = ""

  var fields: [String] { [outcome.rawValue, suite, test] }
}

/// Builds the copy of a module with its mutants, and runs the tests on each.
struct Campaign {
  let module: String
  let copy: PackageCopy
  var schema: Schema
  let suites: [Suite]
  /// `thread`, `address`, or nothing.
  private let sanitizer = ProcessInfo.processInfo.environment["SANITIZE"]
  private let isOptimized = ProcessInfo.processInfo.environment["RELEASE"] != nil
  /// What distinguishes the build from the gate's; empty if nothing does.
  var buildName: String {
    [isOptimized ? "release" : nil, sanitizer].compactMap(\.self).joined(separator: " ")
  }
  private var baseline: [String: (seconds: Double, reached: Set<Int>)] = [:]

  init(_ module: String, root: URL, directory: URL) throws {
    self.module = module
    copy = PackageCopy(
      root: root, directory: directory, testTargets: Suite.testTargets(of: module),
      mutated: [module])
    schema = try Schema(module: module, sources: root.appending(path: "Sources"))
    let wanted = ProcessInfo.processInfo.environment["SUITE"]
    suites = Suite.all(of: module).filter { wanted == nil || $0.name == wanted }
  }

  /// Compiles the chosen mutants, and leaves out those that don't compile.
  mutating func build(_ mutants: [Mutant]) throws {
    schema.number(mutants, from: 1)
    let broken = Lines(url: copy.directory.appending(path: "broken.tsv"))
    schema.remove(try broken.read().map(\.mutant))
    try copy.update()
    for round in 1... {
      try schema.write(to: copy.directory.appending(path: "Sources"))
      let errors = try build(["--target", module])
      if errors.isEmpty { break }
      var failing: Set<Mutant> = []
      for error in errors { failing.formUnion(schema.mutants(at: error.line, of: error.path)) }
      guard !failing.isEmpty else { throw Failure("\(module) doesn't build: \(log("build").path)") }
      print("round \(round): \(failing.count) mutants don't compile")
      schema.remove(failing)
      for mutant in failing { try broken.append(mutant, []) }
    }
    let errors = try build(["--build-tests"])
    guard errors.isEmpty else { throw Failure("the tests don't build: \(log("build").path)") }
  }

  /// Where and how the package manager builds.
  private var place: [String] {
    ["--package-path", copy.directory.path, "--scratch-path", products.path]
      + (sanitizer.map { ["--sanitize", $0] } ?? [])
      + (isOptimized ? ["-c", "release", "-Xswiftc", "-enable-testing"] : [])
  }

  private var products: URL {
    copy.directory.appending(path: sanitizer.map { ".build-\($0)" } ?? ".build")
  }

  private func build(_ arguments: [String]) throws -> [(path: String, line: Int)] {
    let build = Program(
      arguments: ["swift", "build"] + place + arguments)
    let (ending, _) = try build.run(limit: .infinity, log: log("build"))
    if ending == .success { return [] }
    let text = try String(contentsOf: log("build"), encoding: .utf8)
    let mark = "/Sources/"
    let errors = text.split(separator: "\n").compactMap { line -> (path: String, line: Int)? in
      let parts = line.split(separator: ":")
      guard parts.count > 3, parts[3] == " error" || parts[3] == " fatal error",
        let number = Int(parts[1]), let start = parts[0].range(of: mark)
      else { return nil }
      return (String(parts[0][start.upperBound...]), number)
    }
    guard !errors.isEmpty else { throw Failure("the build fails: \(log("build").path)") }
    return errors
  }

  /// Runs the tests without a mutant, and learns which mutants they reach.
  mutating func runBaseline() throws {
    for suite in suites {
      let reached = log("reached")
      try? FileManager.default.removeItem(at: reached)
      let (ending, seconds) = try run(
        suite, ["MUTANTS_REACHED": reached.path], limit: 1000, log: log("baseline-\(suite.name)"))
      guard ending == .success else {
        throw Failure("\(suite.name) fails without a mutant: \(log("baseline-\(suite.name)").path)")
      }
      // There is no file if the suite reaches none.
      let text = (try? String(contentsOf: reached, encoding: .utf8)) ?? ""
      let numbers = text.split(separator: "\n")
      baseline[suite.name] = (seconds, Set(numbers.compactMap { Int($0) }))
      print(
        "\(suite.name): \(Int(seconds)) s, reaches \(Set(numbers).count) of \(schema.numbers.count)"
      )
    }
  }

  /// Runs the suites that reach the mutant, or all if that isn't known.
  func verdict(on mutant: Mutant, beginningWith first: String = "") throws -> Verdict {
    let number = schema.numbers[mutant]!
    var isReached = false
    for suite in suites.filter({ $0.name == first }) + suites.filter({ $0.name != first }) {
      let known = baseline[suite.name]
      if let known, !known.reached.contains(number) { continue }
      isReached = true
      let (ending, _) = try run(
        suite, ["MUTANT": "\(number)"], limit: 10 + 3 * (known?.seconds ?? 100), log: log("mutant"))
      switch ending {
      case .success: continue
      case .failure: return Verdict(outcome: .killed, suite: suite.name, test: "crash")
      case .stopped(let line):
        return Verdict(outcome: .killed, suite: suite.name, test: Self.test(in: line))
      case .timeout: return Verdict(outcome: .timeout, suite: suite.name)
      }
    }
    return Verdict(outcome: isReached ? .survived : .unreached)
  }

  private func run(
    _ suite: Suite, _ environment: [String: String], limit: Double, log: URL
  ) throws -> (Ending, Double) {
    let selection =
      ["--filter", suite.filter] + (suite.skip.map { ["--skip", $0] } ?? [])
      + (suite.isParallel ? [] : ["--no-parallel"])
    let bundle = products.appending(
      path: "\(isOptimized ? "release" : "debug")/swift-composable-environmentPackageTests.xctest")
    var isDirectory: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: bundle.path, isDirectory: &isDirectory)
    // On Linux it is a program, which starts sooner alone than from the package manager.
    let arguments =
      isDirectory.boolValue
      ? ["swift", "test", "--skip-build"] + place + selection
      : [bundle.path, "--testing-library", "swift-testing"] + selection
    let program = Program(
      arguments: arguments,
      environment: environment.merging(suite.environment) { $1 }.merging(Self.options) { $1 })
    return try program.run(limit: limit, log: log) { line in
      line.contains("✘") && line.contains("recorded an issue")
    }
  }

  private static let options = [
    "TSAN_OPTIONS": "halt_on_error=1 detect_deadlocks=0", "ASAN_OPTIONS": "detect_leaks=0",
    // Printing where a mutant crashes takes longer than the tests.
    "SWIFT_BACKTRACE": "enable=no",
  ]

  private static func test(in line: String) -> String {
    let name = line.split(separator: " recorded an issue").first ?? ""
    return String(name.drop { $0 != "✘" }.drop { $0 != "T" }.dropFirst("Test ".count))
  }

  func log(_ name: String) -> URL { copy.directory.appending(path: "\(name).log") }
}

struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
