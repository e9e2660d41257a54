import ComposableEnvironment

/// The operations with limits in a debug build.
///
/// Developers mostly run debug builds. The limits are three times what dependence takes, which code
/// without attributes for the optimizer meets.
extension Catalog {
  static let unoptimized = [
    Benchmark(
      "debug/wrapper", "@Dependency, overridden", against: taskLocal, limit: 25,
      allocationLimit: 0
    ) {
      Benchmark.Subject(operation: readWrapper(in: .overriding(16)), yardstick: Bare.reading)
    },
    Benchmark(
      "debug/current", "current.number, overridden", against: taskLocal, limit: 16,
      allocationLimit: 0
    ) {
      Benchmark.Subject(operation: readCurrent(in: .overriding(16)), yardstick: Bare.reading)
    },
    Benchmark("debug/with", "scope.with { $0.number = … }", against: withValue, limit: 10) {
      Benchmark.Subject(operation: override(in: .overriding(1)), yardstick: Bare.entering)
    },
    Benchmark(
      "debug/with-key-path", "scope.with(\\.number, …)", against: "scope.with { $0.number = … }",
      limit: 3
    ) { overrideByKeyPath() },
    Benchmark(
      "debug/default", "@Dependency, a default, in another scope", against: taskLocal, limit: 45
    ) {
      Benchmark.Subject(
        operation: readDefaultElsewhere(), yardstick: Bare.reading)
    },
    Benchmark("debug/run", "run in a captured scope", against: withValue, limit: 2.5) {
      let scope = DependencyScope.overriding(1)
      return Benchmark.Subject(
        operation: Workload { count in for _ in 0..<count { scope.run { sink(0) } } },
        yardstick: Bare.entering)
    },
    Benchmark("debug/update", "one of 256 overrides, in one update", against: withValue, limit: 10)
    {
      Benchmark.Subject(operation: overrideAtOnce(256), yardstick: Bare.entering)
    },
    Benchmark("debug/enter", "enter with one more override", against: withValue, limit: 17) {
      Benchmark.Subject(operation: enter(in: .overriding(1)), yardstick: Bare.entering)
    },
    Benchmark(
      "debug/enter-async", "the same asynchronously",
      against: "an asynchronous withValue that binds an existing object", limit: 8
    ) {
      Benchmark.Subject(
        operation: enterAsynchronously(in: .overriding(1)), yardstick: Bare.enteringAsynchronously)
    },
    Benchmark("debug/enter-256", "the same among 256", against: withValue, limit: 17) {
      Benchmark.Subject(operation: enter(in: .overriding(256)), yardstick: Bare.entering)
    },
    Benchmark(
      "debug/nested", "one of 64 overrides, each in a scope inside the other", against: withValue,
      limit: 25
    ) {
      Benchmark.Subject(operation: overrideNested(64), yardstick: Bare.entering)
    },
    Benchmark(
      "debug/environment", "environment.with(\\.number, …), with one derived environment",
      against: "scope.with(\\.number, …)", limit: 6
    ) { recreate() },
  ]
}
