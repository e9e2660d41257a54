import TestSupport
import Testing

/// `SEED=… swift test --filter RandomLifetime` repeats a failure.
///
/// `PROGRAMS=…` runs that many programs, and prints how often each kind of event occurred.
@Suite("Random lifetimes", .tooLongUnderSanitizers, .serialized)
struct RandomLifetimeTests {
  @Test("every lifetime follows the rules: once, order, overrides, failures, cancellation")
  func programs() async {
    await checkRandomPrograms(
      Program.self,
      covering: [
        "lifetime in none", "lifetime in another", "operation", "no operation", "opened", "closed",
        "failed opening", "failed run", "failed operation", "cancelled operation", "returned",
        "read", "read after the end", "other read after the end", "asked for an override",
        "asked for a listed resource", "asked for a failed resource", "asked in the same lifetime",
        "asked in an outer lifetime", "cycle", "lifetime in one that has operated",
        "asked after the end", "asked for an aliased resource", "read in the code of a resource",
        "closed after what another lifetime opened from it", "asked too late for what is open",
      ])
  }
}

extension Program: RandomProgram {
  init(_ choices: inout Choices) { self = Generator.program(&choices) }

  func difference(patience: Duration, _ coverage: inout Coverage) async -> RandomDifference? {
    let events = await Runner.events(of: self, patience: patience)
    return Model.difference(of: events, in: self, coverage: &coverage).map {
      RandomDifference(text: "\(self)\nIt fails \($0)")
    }
  }
}
