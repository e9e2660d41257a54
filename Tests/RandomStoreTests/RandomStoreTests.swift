import Foundation
import Testing

/// `SEED=… swift test --filter RandomStore` repeats a failure; `PROGRAMS=…` runs that many programs,
/// and prints how often each kind of thing was done.
@Suite("Random stores", .serialized)
struct RandomStoreTests {
  @Test("every store does what a plain interpreter says: order, scopes, cancellation, ends")
  func programs() async {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["SEED"].flatMap { UInt64($0) }
    let programs = environment["PROGRAMS"].flatMap { UInt64($0) } ?? (seed == nil ? 1_000 : 1)
    let first = seed ?? 1
    let result = await Campaign.run(seeds: first..<first + programs)
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
      #expect(result.coverage.missing == [], "what was never drawn")
    }
    if environment["PROGRAMS"] != nil {
      print("\(result.programs) programs\n\(result.coverage.table)")
    }
  }
}
