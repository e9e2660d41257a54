internal import AllocationCounter
import ComposableDependencies

/// The memory that captured scopes retain.
extension Catalog {
  static let memory =
    [
      Benchmark(memory: "memory/captured", "a captured scope, itself") {
        bytes { scopes($0, capturing: .overriding(1), { $0 }) }
      }
    ]
    + overrideCounts.map { count in
      Benchmark(
        memory: "memory/one-more/\(count)",
        "a scope with one more override, above a shared one of \(count)",
        against: "the same above 1", limit: 1.5
      ) {
        bytesOfOneMore(above: count)
      } yardstick: {
        bytesOfOneMore(above: 1)
      }
    }
    + overrideCounts.map { count in
      Benchmark(
        memory: "memory/own/\(count)", "a scope with \(count) overrides of its own",
        against: "as many overrides in scopes with 8", limit: 2
      ) {
        bytesOfOwn(count)
      } yardstick: {
        bytesOfOwn(8).map { $0 * Double(count) / 8 }
      }
    }

  private static func bytesOfOneMore(above count: Int) -> Double? {
    let scope = DependencyScope.overriding(count)
    return bytes { scopes($0, capturing: scope) { $0.with { $0.number = 1 } } }
  }

  private static func bytesOfOwn(_ count: Int) -> Double? {
    bytes(of: max(10, 20_000 / count)) {
      scopes($0, capturing: .root) { _ in .overriding(count) }
    }
  }

  private static func scopes(
    _ number: Int, capturing scope: DependencyScope, _ make: (DependencyScope) -> DependencyScope
  ) -> [DependencyScope] {
    (0..<number).map { _ in make(scope) }
  }

  /// The bytes that each scope retains, without the reference to it.
  private static func bytes(
    of number: Int = 2000, _ make: (_ number: Int) -> [DependencyScope]
  ) -> Double? {
    guard allocations_are_counted() else { return nil }
    let array = MemoryLayout<DependencyScope>.stride * number
    // The median, because other threads may allocate or free something meanwhile.
    let tries = (0..<5).map { _ in
      let before = Int(bytes_in_use())
      return withExtendedLifetime(make(number)) { Int(bytes_in_use()) - before - array }
    }
    return max(0, Double(tries.sorted()[2])) / Double(number)
  }
}
