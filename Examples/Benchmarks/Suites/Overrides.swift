import ComposableEnvironment

/// Reads, overrides and entering, by the number of overrides.
extension Catalog {
  static let overrideCounts = [1, 4, 8, 16, 64, 256, 1_000, 10_000]

  private typealias Named = (name: String, title: String, workload: @Sendable (Int) -> Workload)

  private static let inCounts: [Named] = [
    ("read", "current.number, overridden", { readCurrent(in: .overriding($0)) }),
    ("read-default", "current.number, a default", { readCurrent(in: .overridingOthers($0)) }),
    ("read-wrapper", "@Dependency, overridden", { readWrapper(in: .overriding($0)) }),
    ("read-wrapper-default", "@Dependency, a default", { readWrapper(in: .overridingOthers($0)) }),
    (
      "read-elsewhere", "@Dependency, a default, outside its scope",
      { readWrapperElsewhere(in: .overridingOthers($0)) }
    ),
    ("override", "scope.with { $0.number = … }", { override(in: .overriding($0)) }),
    ("enter", "enter and leave with one more", { enter(in: .overriding($0)) }),
    ("create", "create an @Dependency", { createWrapper(in: .overriding($0)) }),
  ]

  static let overrides = inCounts.flatMap {
    series(
      "overrides/\($0.name)", $0.title, overrideCounts, "overrides",
      limit: $0.name == "read-wrapper" ? 2 : 1.3, $0.workload)
  }
}

/// Reads, overrides and entering, by the depth of nested scopes.
extension Catalog {
  private static let inDepths: [Named] = [
    ("read", "current.number, overridden", { readCurrent(in: nested($0) { .current }) }),
    ("read-wrapper", "@Dependency, overridden", { readWrapper(in: nested($0) { .current }) }),
    ("override", "scope.with { $0.number = … }", { override(in: nested($0) { .current }) }),
    ("enter", "enter and leave with one more", { enter(in: nested($0) { .current }) }),
  ]

  static let depth = inDepths.flatMap {
    series(
      "depth/\($0.name)", $0.title, [1, 10, 100, 1000], "scopes deep", limit: 1.5, $0.workload)
  }
}

extension Catalog {
  /// Creates a benchmark for each number, compared to the first.
  static func series(
    _ name: String,
    _ title: String,
    _ numbers: [Int],
    _ unit: String,
    limit: Double? = nil,
    _ workload: @escaping @Sendable (Int) -> Workload
  ) -> [Benchmark] {
    numbers.map { number in
      Benchmark(
        "\(name)/\(number)", "\(title); \(number) \(unit)", against: "the same at \(numbers[0])",
        limit: limit
      ) {
        Benchmark.Subject(operation: workload(number), yardstick: workload(numbers[0]))
      }
    }
  }
}
