import ComposableEnvironment

/// The operations with limits, each compared to its yardstick.
extension Catalog {
  static let limits = reads + flatReads + rest

  static let taskLocal = "a read of a bare @TaskLocal reference"
  static let withValue = "a bare withValue that binds an existing object"
  private static let keyPath = "a key path applied to a computed property"

  private static let reads = [
    Benchmark(
      "limits/current", "current.number, overridden", against: taskLocal, limit: 3,
      allocationLimit: 0
    ) {
      Benchmark.Subject(operation: readCurrent(in: .overriding(1)), yardstick: Bare.reading)
    },
    Benchmark(
      "limits/current-default", "current.number, a default", against: taskLocal, limit: 3,
      allocationLimit: 0
    ) {
      Benchmark.Subject(operation: readCurrent(in: .overridingOthers(1)), yardstick: Bare.reading)
    },
    Benchmark(
      "limits/current-root", "current.number, a default in the root", against: taskLocal, limit: 3,
      allocationLimit: 0
    ) {
      Benchmark.Subject(operation: readCurrent(in: .root), yardstick: Bare.reading)
    },
    Benchmark(
      "limits/key", "by key type, overridden", against: taskLocal, limit: 3, allocationLimit: 0
    ) {
      Benchmark.Subject(operation: readKey(in: .overriding(1)), yardstick: Bare.reading)
    },
    Benchmark(
      "limits/key-default", "by key type, a default", against: taskLocal, limit: 3,
      allocationLimit: 0
    ) {
      Benchmark.Subject(operation: readKey(in: .overridingOthers(1)), yardstick: Bare.reading)
    },
    Benchmark(
      "limits/wrapper", "@Dependency, overridden", against: keyPath, limit: 2, allocationLimit: 0
    ) {
      Benchmark.Subject(
        operation: readWrapper(in: .overriding(1)), yardstick: Bare.applyingKeyPath)
    },
    Benchmark(
      "limits/environment", "environment.number, overridden", against: keyPath, limit: 2,
      allocationLimit: 0
    ) {
      Benchmark.Subject(
        operation: readEnvironment(in: .overriding(1)), yardstick: Bare.applyingKeyPath)
    },
  ]

  private static let everyRead:
    [(name: String, title: String, read: @Sendable (DependencyScope) -> Workload)] = [
      ("current", "current.number", { readCurrent(in: $0) }),
      ("wrapper", "@Dependency", { readWrapper(in: $0) }),
      ("environment", "environment.number", { readEnvironment(in: $0) }),
    ]

  private static let flatReads =
    everyRead.flatMap { name, title, read in
      [
        Benchmark(
          "limits/256-overrides-\(name)", "\(title), at 256 overrides", against: "the same at 1",
          limit: 1.5, allocationLimit: 0
        ) {
          Benchmark.Subject(operation: read(.overriding(256)), yardstick: read(.overriding(1)))
        },
        Benchmark(
          "limits/256-overrides-\(name)-default", "\(title), a default, at 256 overrides",
          against: "the same at 1", limit: 1.5, allocationLimit: 0
        ) {
          Benchmark.Subject(
            operation: read(.overridingOthers(256)), yardstick: read(.overridingOthers(1)))
        },
        Benchmark(
          "limits/depth-1000-\(name)", "\(title), at depth 1000", against: "the same at 1",
          limit: 1.5, allocationLimit: 0
        ) {
          Benchmark.Subject(
            operation: read(nested(1000) { .current }), yardstick: read(nested(1) { .current }))
        },
      ]
    }

  private static let rest = [
    Benchmark(
      "limits/enter", "enter and leave a scope with one more override", against: withValue,
      limit: 3.5, allocationLimit: 2
    ) {
      Benchmark.Subject(operation: enter(in: .overriding(1)), yardstick: Bare.entering)
    },
    Benchmark(
      "limits/run", "run in a captured scope", against: withValue, limit: 1.6, allocationLimit: 0
    ) {
      let scope = DependencyScope.overriding(1)
      return Benchmark.Subject(
        operation: Workload { count in for _ in 0..<count { scope.run { sink(0) } } },
        yardstick: Bare.entering)
    },
    // Reads the property, too: only its setter must not read what is assigned.
    Benchmark(
      "limits/with", "scope.with(\\.number, …)", against: "scope.with { $0.number = … }",
      limit: 1.7
    ) { overrideByKeyPath() },
    Benchmark(
      "limits/enter-two-threads", "enter with one override outside any scope, in two threads",
      against: "\(withValue), in two threads", limit: 3.5
    ) {
      Benchmark.Subject(
        operation: enterOutsideAnyScopeInTwoThreads(), yardstick: Bare.enteringInTwoThreads)
    },
    Benchmark(
      "limits/threads", "@Dependency, a global value of one store, in two threads",
      against: "the same in a store each", limit: 1.3
    ) {
      let scope = DependencyScope.isolated()
      return Benchmark.Subject(
        operation: readGlobalInTwoThreads { scope.with { $0.number = 7 } },
        yardstick: readGlobalInTwoThreads { .isolated() })
    },
    Benchmark(
      "limits/capture", "DependencyScope.current", against: taskLocal, limit: 1.3,
      allocationLimit: 0
    ) {
      let scope = DependencyScope.overriding(1)
      return Benchmark.Subject(
        operation: Workload { count in
          scope.run { for _ in 0..<count { sink(DependencyScope.current) } }
        },
        yardstick: Bare.reading)
    },
    Benchmark(
      "limits/derived", "parent.child, after the first access",
      against: "a stored property behind one reference", limit: 3, allocationLimit: 0
    ) {
      let parent = ParentEnvironment()
      return Benchmark.Subject(
        operation: Workload { count in
          let parent = opaque(parent)
          for _ in 0..<count { sink(parent.child) }
        },
        yardstick: Workload { count in
          let stored = opaque(StoredChild(parent.child))
          for _ in 0..<count { sink(stored.child) }
        })
    },
    Benchmark(
      "limits/pullbacks", "an action through three pullbacks",
      against: "the changes by hand in an actor, and three withValue", limit: 4
    ) {
      Benchmark.Subject(operation: Feature.send(.made), yardstick: Feature.byHand)
    },
    Benchmark(
      "limits/pullbacks-derived", "the same with `environment: \\.child`",
      against: "the changes by hand in an actor, and three withValue", limit: 6
    ) {
      Benchmark.Subject(operation: Feature.send(.derived), yardstick: Feature.byHand)
    },
  ]
}
