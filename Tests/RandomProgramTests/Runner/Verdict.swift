/// What running a program on the library showed.
enum Verdict: Sendable {
  case agrees(reads: Int, Coverage)
  /// The program has no meaning that could be compared.
  case notJudged(String)
  case fails(Failure)

  struct Failure: Sendable {
    enum Kind {
      /// A read found what it may not find.
      case values
      /// Something ran that should not, or did not run.
      case steps
      /// Values are alive when the program has ended.
      case leftovers
    }

    var kind: Kind
    var problem: String
    /// What to say of steps, by their numbers.
    var comments: [Int: String] = [:]
  }

  var failure: Failure? { if case .fails(let failure) = self { failure } else { nil } }
}

extension Program {
  /// Runs the program by the rules and on the library, and compares every read.
  func verdict() async -> Verdict {
    let interpreter = Interpreter.run(self)
    if let objection = interpreter.objection { return .notJudged(objection) }
    let (found, remaining) = await run()
    if let failure = Self.compare(interpreter.expectations, found) { return .fails(failure) }
    if remaining != 0 {
      return .fails(
        .init(kind: .leftovers, problem: "\(remaining) values are left when the program has ended"))
    }
    return .agrees(reads: found.count, interpreter.coverage)
  }

  /// What every read finds, and how many values are alive afterwards.
  private func run() async -> (found: [(id: ReadID, value: Int)], remaining: Int) {
    let runner = Runner()
    return (await runner.observations(of: self), runner.tally.remaining)
  }

  private static func compare(
    _ expectations: [Interpreter.Expectation], _ found: [(id: ReadID, value: Int)]
  ) -> Verdict.Failure? {
    let expectations = expectations.sorted { $0.id < $1.id }
    let found = found.sorted { $0.id < $1.id }
    guard expectations.map(\.id) == found.map(\.id) else {
      let (expected, got) = (Set(expectations.map(\.id.step)), Set(found.map(\.id.step)))
      var comments: [Int: String] = [:]
      for step in expected.subtracting(got) { comments[step] = "should run, and did not" }
      for step in got.subtracting(expected) { comments[step] = "ran, and should not" }
      let problem = "\(found.count) reads instead of \(expectations.count)"
      return Verdict.Failure(kind: .steps, problem: problem, comments: comments)
    }
    var comments: [Int: String] = [:]
    for (found, expected) in zip(found, expectations) where !expected.values.contains(found.value) {
      let permitted = expected.values.sorted().map(String.init).joined(separator: " or ")
      let comment = "#\(found.id.index) found \(found.value), should be \(permitted)"
      comments[found.id.step] = (comments[found.id.step].map { "\($0); " } ?? "") + comment
    }
    if comments.isEmpty { return nil }
    return Verdict.Failure(kind: .values, problem: "wrong values", comments: comments)
  }
}
