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
    sink(make())
    let before = bytes_in_use()
    let scopes = make()
    let after = bytes_in_use()
    return withExtendedLifetime(scopes) {
      let array = MemoryLayout<DependencyScope>.stride * count
      return max(0, Double(after - before) - Double(array)) / Double(count)
    }
  }
}
