internal import Foundation
internal import Testing

/// What came of running random programs, up to the first that fails.
package struct RandomCampaign<Program: Sendable>: Sendable {
  package struct Failure: Sendable {
    package var seed: UInt64
    package var program: Program
    package var difference: String

    package init(seed: UInt64, program: Program, difference: String) {
      self.seed = seed
      self.program = program
      self.difference = difference
    }
  }

  package var programs = 0
  package var coverage = Coverage()
  package var failure: Failure?

  package init() {}
}

/// Runs random programs, and records an issue for the first that fails.
///
/// `SEED` in the environment says where to begin, so that a failure can be repeated; `PROGRAMS` says
/// how many to run, and prints how often each kind of thing happened.
///
/// - Parameter all: What must happen at least once in 1,000 programs.
package func checkRandomPrograms<Program>(
  covering all: [String], _ run: (Range<UInt64>) async -> RandomCampaign<Program>
) async {
  let environment = ProcessInfo.processInfo.environment
  let seed = environment["SEED"].flatMap { UInt64($0) }
  let programs = environment["PROGRAMS"].flatMap { UInt64($0) } ?? (seed == nil ? 1_000 : 1)
  let first = seed ?? 1
  let result = await run(first..<first + programs)
  if let failure = result.failure {
    Issue.record(
      """
      SEED=\(failure.seed). The smallest program that fails:
      \(failure.program)
      It fails \(failure.difference)
      """)
    return
  }
  if programs >= 1_000 {
    #expect(result.coverage.missing(of: all) == [], "what never happened")
  }
  if environment["PROGRAMS"] != nil {
    print("\(result.programs) programs\n\(result.coverage.table)")
  }
}
