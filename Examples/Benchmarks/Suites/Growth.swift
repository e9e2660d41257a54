import ComposableDependencies
import GlobalEnvironment

/// The cost of one of many overrides, compared to one of eight.
extension Catalog {
  static let growth =
    [1, 8, 16, 64, 256, 1_000, 10_000].flatMap { count in
      [
        Benchmark(
          // One alone pays for a scope that eight share. 10,000 leave the fast caches.
          "growth/update/\(count)", "one of \(count) overrides, in one update",
          against: "the same with 8", limit: 3
        ) {
          Benchmark.Subject(operation: overrideAtOnce(count), yardstick: overrideAtOnce(8))
        },
        Benchmark(
          // Every eighth scope copies the table of older overrides, so the time grows with their number.
          // Those of 10,000 scopes have 150 MB, which takes 45 to 80 times as long, by the processor.
          "growth/nested/\(count)", "one of \(count) overrides, each in a scope inside the other",
          against: "the same with 8", limit: count > 1_000 ? 100 : 5
        ) {
          Benchmark.Subject(operation: overrideNested(count), yardstick: overrideNested(8))
        },
        Benchmark(
          "growth/same/\(count)", "one of 100 nested overrides of one dependency, above \(count)",
          against: "the same above 8", limit: 2
        ) {
          Benchmark.Subject(
            operation: overrideSame(above: count), yardstick: overrideSame(above: 8))
        },
      ]
    }
    + [1, 100, 1_000].map { count in
      Benchmark(
        "growth/values/\(count)", "set a global value, with \(count) others",
        against: "the same with one other", limit: 2
      ) {
        Benchmark.Subject(operation: setGlobally(above: count), yardstick: setGlobally(above: 1))
      }
    }

  private static func setGlobally(above count: Int) -> Workload {
    let scope = DependencyScope.isolated()
    scope.run { Dependencies.setGlobally { Others.override(count, in: &$0) } }
    return Workload { operations in
      scope.run {
        for number in 0..<operations { Dependencies.setGlobally { $0.number = number } }
      }
    }
  }

  static func overrideAtOnce(_ count: Int) -> Workload {
    Workload(each: count) {
      sink(DependencyScope.root.with { Others.override(count, in: &$0) })
    }
  }

  static func overrideNested(_ count: Int) -> Workload {
    let setters = Others.setters.prefix(count)
    @Sendable func enter(_ rest: ArraySlice<Others.Setter>) {
      guard let setter = rest.first else { return sink(0) }
      withDependencies {
        setter(&$0, 1)
      } operation: {
        enter(rest.dropFirst())
      }
    }
    return Workload(each: count) { DependencyScope.root.run { enter(setters) } }
  }

  private static func overrideSame(above count: Int) -> Workload {
    let scope = DependencyScope.overridingOthers(count)
    @Sendable func enter(_ depth: Int) {
      if depth == 0 { return sink(0) }
      withDependencies {
        $0.number = depth
      } operation: {
        enter(depth - 1)
      }
    }
    return Workload(each: 100) { scope.run { enter(100) } }
  }
}
