internal import AllocationCounter
import ComposableDependencies

/// The memory that global values retain, each under a key of its own.
extension Catalog {
  static let globalValueMemory = [
    Benchmark(memory: "memory/global-value/isolated", "a global value in an isolated store") {
      bytes(in: { DependencyScope.isolated() })
    },
    // What is set in the process's store stays, so each measurement needs further keys.
    Benchmark(
      memory: "memory/global-value/process", "a global value in the process's store",
      against: "the same in an isolated store", limit: 2
    ) {
      bytes(in: { .root })
    } yardstick: {
      bytes(in: { DependencyScope.isolated() })
    },
  ]

  private static func bytes(in store: () -> DependencyScope) -> Double? {
    guard allocations_are_counted() else { return nil }
    let number = 1_000
    // The median, because other threads may allocate or free something meanwhile.
    let tries = (0..<5).map { time in
      let setters = Others.setters[(6_000 + time * number)...].prefix(number)
      let before = Int(bytes_in_use())
      let scope = store()
      scope.run { for setter in setters { Dependencies.setGlobally { setter(&$0, time) } } }
      return withExtendedLifetime(scope) { Int(bytes_in_use()) - before }
    }
    return max(0, Double(tries.sorted()[2])) / Double(number)
  }
}
