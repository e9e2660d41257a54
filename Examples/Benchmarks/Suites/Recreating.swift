import ComposableEnvironment

/// What `with` of an environment costs, and reads in the environments that it returned.
extension Catalog {
  static let recreating =
    [
      Benchmark(
        "limits/environment-with", "environment.with(\\.number, …), with one derived environment",
        against: "scope.with(\\.number, …)", limit: 10, allocationLimit: 7
      ) { recreate() }
    ]
    + origins.flatMap { name, title, environment in
      reads.map { read, readTitle, workload in
        Benchmark(
          "limits/\(name)-\(read)", "\(readTitle), in an environment \(title)",
          against: "the same in one that was created", limit: 1.1, allocationLimit: 0
        ) {
          let scope = DependencyScope.overridingOthers(1)
          return Benchmark.Subject(
            operation: workload(environment(scope)),
            yardstick: workload(scope.with { $0.number = 7 }.run { ChildEnvironment() }))
        }
      }
    }

  static func recreate() -> Benchmark.Subject {
    let environment = DependencyScope.overriding(1).run { ParentEnvironment() }
    return Benchmark.Subject(
      operation: Workload { count in
        for number in 0..<count { sink(environment.with(\.number, number)) }
      },
      yardstick: Workload { count in
        for number in 0..<count { sink(environment.scope.with(\.number, number)) }
      })
  }

  /// The ways in which an environment that overrides `number` comes to be.
  private static let origins:
    [(name: String, title: String, environment: @Sendable (DependencyScope) -> ChildEnvironment)] =
      [
        ("with", "that `with` returned", { $0.run { ChildEnvironment() }.with(\.number, 7) }),
        (
          "with-ten-times", "that `with` returned ten times",
          { scope in
            (0..<10).reduce(scope.run { ChildEnvironment() }) { child, _ in child.with(\.number, 7)
            }
          }
        ),
        (
          "derived", "derived from one that `with` returned",
          { $0.run { ParentEnvironment() }.with(\.number, 7).child }
        ),
        (
          "carried", "that was assigned to its parent, and carried over",
          { scope in
            var parent = scope.run { ParentEnvironment() }
            parent.child = parent.child.with(\.number, 7)
            return parent.with { Others.override(1, in: &$0) }.child
          }
        ),
        (
          "in-update", "created in an update",
          { scope in
            scope.with { $0.number = 7 }.run {
              var child: ChildEnvironment?
              withDependencies {
                Others.override(1, in: &$0)
                child = ChildEnvironment()
              } operation: {
              }
              return child!
            }
          }
        ),
      ]

  private static let reads:
    [(name: String, title: String, workload: @Sendable (ChildEnvironment) -> Workload)] = [
      ("wrapper", "@Dependency, overridden", { child in read(child) { $0.declared } }),
      (
        "default", "environment.globalNumber, a default",
        { child in read(child) { $0.globalNumber } }
      ),
    ]

  private static func read(
    _ child: ChildEnvironment, _ read: @escaping @Sendable (ChildEnvironment) -> Int
  ) -> Workload {
    Workload { count in
      let child = opaque(child)
      for _ in 0..<count { sink(read(child)) }
    }
  }
}
