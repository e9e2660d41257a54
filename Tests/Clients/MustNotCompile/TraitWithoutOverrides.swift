import ComposableTesting
import Testing

// error: 'dependencies' is unavailable: override dependencies, as in
//   `.dependencies { $0.retryLimit = 1 }`, or write `.isolatedDependencies`
@Suite(.dependencies)
struct SearchTests {
  // error: 'dependencies(line:)' is unavailable: override dependencies, as in
  //   `.dependencies { $0.retryLimit = 1 }`, or write `.isolatedDependencies`
  @Test("reads", .dependencies())
  func reads() {}

  // error: 'exploring' is unavailable: write `.exploring()`
  @Test("finds the newest answer", .exploring)
  func findsTheNewestAnswer() {}
}
