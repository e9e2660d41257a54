import TestSupport
import Testing

/// `SEED=… swift test --filter RandomLifetime` repeats a failure.
///
/// `PROGRAMS=…` runs that many programs, and prints how often each kind of event occurred.
@Suite("Random lifetimes", .tooLongUnderSanitizers, .serialized)
struct RandomLifetimeTests {
  @Test("every lifetime follows the rules: once, order, overrides, failures, cancellation")
  func programs() async {
    await checkRandomPrograms(covering: Happening.all) { await Campaign.run(seeds: $0) }
  }
}
