import TestSupport

extension Program: RandomProgram {
  init(_ choices: inout Choices) { self = Generator.program(&choices) }

  /// Runs the program in the interpreter and on the library, and compares every read.
  func difference(patience: Duration, _ coverage: inout Coverage) async -> RandomDifference? {
    let interpreter = Interpreter.run(self)
    guard interpreter.objection == nil else {
      coverage.count("not judged")
      return nil
    }
    coverage.add(interpreter.coverage)
    let runner = Runner(isRecorded: isRecorded)
    // Those that were made from defaults alone belong to the process's store.
    let most = max(SharedKeys.count, SharedNumber.alive.count)
    let found = await runner.observations(of: self)
    let remaining = await runner.tokens.left(after: patience)
    if let difference = difference(interpreter.expectations, found) { return difference }
    if remaining > 0 {
      return difference(.leftovers, "\(remaining) values are left when the program has ended")
    }
    // No other program runs over that store meanwhile.
    if usesProcessStore, await SharedNumber.alive.left(atMost: most, after: patience) > most {
      return difference(.leftovers, "shared instances are left when the program has ended")
    }
    return nil
  }

  private enum DifferenceKind: String {
    /// A read returned a wrong value.
    case values
    /// A step ran that shouldn't have, or the other way around.
    case steps
    /// Values are still alive after the program has ended.
    case leftovers
  }

  /// - Parameter comments: Comments on steps, by their numbers.
  private func difference(
    _ kind: DifferenceKind, _ problem: String, comments: [Int: [String]] = [:]
  ) -> RandomDifference {
    let text = text(comments: comments.mapValues { $0.joined(separator: "; ") })
    return RandomDifference(kind: kind.rawValue, text: "\(text)\nIt fails: \(problem)")
  }

  private func difference(
    _ expectations: [Interpreter.Expectation], _ found: [(id: ReadID, value: Int)]
  ) -> RandomDifference? {
    let expectations = expectations.sorted { $0.id < $1.id }
    let found = found.sorted { $0.id < $1.id }
    var comments: [Int: [String]] = [:]
    guard expectations.map(\.id) == found.map(\.id) else {
      let (expected, got) = (Set(expectations.map(\.id.step)), Set(found.map(\.id.step)))
      for step in expected.subtracting(got) { comments[step] = ["should run, and did not"] }
      for step in got.subtracting(expected) { comments[step] = ["ran, and should not"] }
      let problem = "\(found.count) reads instead of \(expectations.count)"
      return difference(.steps, problem, comments: comments)
    }
    var instances = InstancesFound()
    for (found, expected) in zip(found, expectations) {
      let problem: String?
      switch expected.value {
      case .any: problem = nil
      case .instance(let combination):
        problem = instances.problem(of: found.value, combination)
      case .oneOf(let values):
        let permitted = values.sorted().map(String.init).joined(separator: " or ")
        problem =
          values.contains(found.value)
          ? nil : "#\(found.id.index) found \(found.value), should be \(permitted)"
      }
      if let problem { comments[found.id.step, default: []].append(problem) }
    }
    return comments.isEmpty ? nil : difference(.values, "wrong values", comments: comments)
  }
}

/// The instances of shared keys that a program has read: one for each combination of inputs.
private struct InstancesFound {
  private var instances: [Combination: Int] = [:]
  private var combinations: [Combination.Place: [Int: Combination]] = [:]

  mutating func problem(of number: Int, _ combination: Combination) -> String? {
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
