import TestSupport
import Testing

/// `SEED=… swift test --filter RandomStore` repeats a failure.
///
/// `PROGRAMS=…` runs that many programs, and prints how often each kind of operation was performed.
@Suite("Random stores", .tooLongUnderSanitizers, .serialized)
struct RandomStoreTests {
  @Test("every store agrees with a plain interpreter: order, scopes, cancellation, ends")
  func programs() async {
    await checkRandomPrograms(covering: Happening.all) { await Campaign.run(seeds: $0) }
  }
}
