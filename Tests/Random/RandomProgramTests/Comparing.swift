import TestSupport

/// A difference between a program's runs in the interpreter and on the library.
struct Failure {
  enum Kind: String {
    /// A read returned a wrong value.
    case values
    /// A step ran that shouldn't have, or the other way around.
    case steps
    /// Values are still alive after the program has ended.
    case leftovers
  }

  var kind: Kind
  var problem: String
  /// Comments on steps, by their numbers.
  var comments: [Int: String] = [:]
}

extension Program: RandomProgram {
  init(seed: UInt64) { self = Generator.program(seed: seed) }

  /// Runs the program in the interpreter and on the library, and compares every read.
  func difference(patience: Duration, _ coverage: inout Coverage) async -> RandomDifference? {
    let interpreter = Interpreter.run(self)
    guard interpreter.objection == nil else {
      coverage.count("not judged")
      return nil
    }
    coverage.add(interpreter.coverage)
    let runner = Runner(isRecorded: isRecorded)
    let found = await runner.observations(of: self)
    let remaining = runner.tally.remaining
    var failure = Self.compare(interpreter.expectations, found)
    if failure == nil, remaining != 0 {
      failure = Failure(
        kind: .leftovers, problem: "\(remaining) values are left when the program has ended")
    }
    return failure.map {
      RandomDifference(
        kind: $0.kind.rawValue, text: "\(text(comments: $0.comments))\nIt fails: \($0.problem)")
    }
  }

  private static func compare(
    _ expectations: [Interpreter.Expectation], _ found: [(id: ReadID, value: Int)]
  ) -> Failure? {
    let expectations = expectations.sorted { $0.id < $1.id }
    let found = found.sorted { $0.id < $1.id }
    guard expectations.map(\.id) == found.map(\.id) else {
      let (expected, got) = (Set(expectations.map(\.id.step)), Set(found.map(\.id.step)))
      var comments: [Int: String] = [:]
      for step in expected.subtracting(got) { comments[step] = "should run, and did not" }
      for step in got.subtracting(expected) { comments[step] = "ran, and should not" }
      let problem = "\(found.count) reads instead of \(expectations.count)"
      return Failure(kind: .steps, problem: problem, comments: comments)
    }
    var comments: [Int: String] = [:]
    var instances = InstancesFound()
    for (found, expected) in zip(found, expectations) {
      if let instance = expected.instance {
        if let problem = instances.problem(of: found.value, instance) {
          comments[found.id.step] = (comments[found.id.step].map { "\($0); " } ?? "") + problem
        }
        continue
      }
      if expected.values.contains(found.value) { continue }
      let permitted = expected.values.sorted().map(String.init).joined(separator: " or ")
      let comment = "#\(found.id.index) found \(found.value), should be \(permitted)"
      comments[found.id.step] = (comments[found.id.step].map { "\($0); " } ?? "") + comment
    }
    if comments.isEmpty { return nil }
    return Failure(kind: .values, problem: "wrong values", comments: comments)
  }
}

/// The instances of shared keys that a program has read: one for each combination of inputs.
private struct InstancesFound {
  private var instances: [Combination: Int] = [:]
  private var combinations: [Combination.Place: [Int: Combination]] = [:]

  mutating func problem(of number: Int, _ instance: Interpreter.Instance) -> String? {
    guard let combination = instance.combination else { return nil }
    if let known = instances[combination], known != number {
      return "another instance than before of shared \(combination.sharedKey)"
    }
    instances[combination] = number
    let other = combinations[combination.place, default: [:]].updateValue(
      combination, forKey: number)
    if let other, other != combination {
      return "the instance of shared \(combination.sharedKey) for other inputs"
    }
    return nil
  }
}
