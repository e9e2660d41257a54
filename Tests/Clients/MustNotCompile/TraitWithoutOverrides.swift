import ComposableTesting
import Testing

func run(with trait: some TestTrait) {}

// error: 'dependencies' is unavailable: override dependencies, as in
//   `.dependencies { $0.retryLimit = 1 }`, or write `.isolatedDependencies`
let trait: Void = run(with: .dependencies)

// error: 'dependencies' is unavailable: override dependencies, as in
//   `.dependencies { $0.retryLimit = 1 }`, or write `.isolatedDependencies`
@Suite(.dependencies)
struct SearchTests {
  // error: 'dependencies' is unavailable: override dependencies, as in
  //   `.dependencies { $0.retryLimit = 1 }`, or write `.isolatedDependencies`
  @Test("reads", .dependencies)
  func reads() {}

  // error: 'dependencies(line:)' is unavailable: override dependencies, as in
  //   `.dependencies { $0.retryLimit = 1 }`, or write `.isolatedDependencies`
  @Test(.dependencies())
  func callsTheTrait() {}
}

// error: 'dependencies(line:)' is unavailable: override dependencies, as in
//   `.dependencies { $0.retryLimit = 1 }`, or write `.isolatedDependencies`
@Suite("Searching", .dependencies())
struct OtherTests {}
