import TestSupport

/// Runs the programs of many seeds, up to the first that fails.
enum Campaign {
  typealias Failure = RandomCampaign<Program>.Failure

  static func run(seeds: Range<UInt64>) async -> RandomCampaign<Program> {
    var result = RandomCampaign<Program>()
    for seed in seeds {
      let program = Generator.program(seed: seed)
      result.programs += 1
      let events = await Runner.events(of: program, patience: .seconds(20))
      let difference = Model.difference(of: events, in: program, coverage: &result.coverage)
      if let difference {
        result.failure = await shrink(Failure(seed: seed, program: program, difference: difference))
        return result
      }
    }
    return result
  }

  private static func shrink(_ failure: Failure) async -> Failure {
    var smallest = failure
    let end = ContinuousClock.now + .seconds(60)
    /// Gives an intermittent failure several chances to occur.
    func difference(of program: Program) async -> String? {
      var coverage = Coverage()
      for _ in 0..<20 where .now < end {
        let events = await Runner.events(of: program, patience: .seconds(2))
        if let difference = Model.difference(of: events, in: program, coverage: &coverage) {
          return difference
        }
      }
      return nil
    }
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for candidate in smallest.program.smaller where .now < end {
        guard let difference = await difference(of: candidate) else { continue }
        smallest.program = candidate
        smallest.difference = difference
        isSmaller = true
        break
      }
    }
    return smallest
  }
}
