internal import AllocationCounter
import ComposableDependencies

/// The memory that captured scopes retain.
extension Catalog {
  static let memory =
    [
      Benchmark(memory: "memory/captured", "a captured scope, itself") {
        bytes { scopes(capturing: .overriding(1), { $0 }) }
      }
    ]
    + overrideCounts.map { count in
      Benchmark(
        memory: "memory/one-more/\(count)",
        "a scope with one more override, above a shared one of \(count)"
      ) {
        bytes { scopes(capturing: .overriding(count)) { $0.with { $0.number = 1 } } }
      }
    }
    + overrideCounts.map { count in
      Benchmark(memory: "memory/own/\(count)", "a scope with \(count) overrides of its own") {
        bytes { scopes(capturing: .root) { _ in .overriding(count) } }
      }
    }

  private static let count = 2000

  private static func scopes(
    capturing scope: DependencyScope, _ make: (DependencyScope) -> DependencyScope
  ) -> [DependencyScope] {
    (0..<count).map { _ in make(scope) }
  }

  /// The bytes that each scope retains, without the reference to it.
  private static func bytes(_ make: () -> [DependencyScope]) -> Double? {
    guard allocations_are_counted() else { return nil }
    let array = MemoryLayout<DependencyScope>.stride * count
    // The median, because other threads may allocate or free something meanwhile.
    let tries = (0..<5).map { _ in
      let before = Int(bytes_in_use())
      return withExtendedLifetime(make()) { Int(bytes_in_use()) - before - array }
    }
    return max(0, Double(tries.sorted()[2])) / Double(count)
  }
}
