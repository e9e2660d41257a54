/// Searches for the smallest program that still fails in the same way.
struct Shrinker {
  private(set) var program: Program
  private(set) var failure: Verdict.Failure
  /// How often a smaller program runs before it counts as passing.
  private var attempts = 1
  private var remainingRuns = 3000

  init(_ program: Program, _ failure: Verdict.Failure) {
    self.program = program
    self.failure = failure
  }

  mutating func shrink() async {
    // An intermittent failure depends on the order in which tasks run.
    for _ in 0..<5 where await program.verdict().failure == nil { attempts = 50 }
    var hasShrunk = true
    while hasShrunk {
      hasShrunk = false
      var index = 0
      while index < program.stepCount {
        var isShrunk = false
        for edit in Edit.allCases where !isShrunk {
          isShrunk = await keep(program.editing(index, edit))
        }
        hasShrunk = hasShrunk || isShrunk
        if !isShrunk { index += 1 }
      }
    }
  }

  /// Continues with a smaller program if it fails, too.
  private mutating func keep(_ candidate: Program?) async -> Bool {
    guard let candidate, candidate.isWellFormed else { return false }
    for _ in 0..<attempts where remainingRuns > 0 {
      remainingRuns -= 1
      if let failure = await candidate.verdict().failure, failure.kind == self.failure.kind {
        self.failure = failure
        program = candidate
        return true
      }
    }
    return false
  }
}
