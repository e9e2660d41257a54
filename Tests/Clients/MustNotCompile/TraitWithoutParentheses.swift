import ComposableTesting
import Testing

// error: 'exploring' is unavailable: write `.exploring()`
@Suite(.exploring)
struct SearchTests {
  // error: 'exploring' is unavailable: write `.exploring()`
  @Test("finds the newest answer", .exploring)
  func findsTheNewestAnswer() {}
}
