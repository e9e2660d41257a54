import TestSupport

/// Runs programs of many seeds, and reports the first that fails.
enum Campaign {
  typealias Failure = RandomCampaign<Program>.Failure

  static func run(seeds: Range<UInt64>) async -> RandomCampaign<Program> {
    var result = RandomCampaign<Program>()
    for seed in seeds {
      let (program, prediction) = Interpreter.prediction(of: Generator.program(seed: seed))
      result.programs += 1
      result.coverage.add(prediction.coverage)
      let difference = await Runner.difference(
        of: program, from: prediction, patience: .seconds(20))
      if let difference {
        result.failure = await shrink(Failure(seed: seed, program: program, difference: difference))
        return result
      }
    }
    return result
  }

  private static func shrink(_ failure: Failure) async -> Failure {
    /// Gives an intermittent failure several chances to occur.
    func difference(of program: Program) async -> String? {
      let (program, prediction) = Interpreter.prediction(of: program)
      for _ in 0..<30 {
        let difference = await Runner.difference(
          of: program, from: prediction, patience: .seconds(1))
        if let difference { return difference }
      }
      return nil
    }
    let program = await failure.program.shrunk(for: .seconds(20)) {
      await difference(of: $0) != nil
    }
    let (smallest, _) = Interpreter.prediction(of: program)
    guard let difference = await difference(of: smallest) else { return failure }
    return Failure(seed: failure.seed, program: smallest, difference: difference)
  }
}
