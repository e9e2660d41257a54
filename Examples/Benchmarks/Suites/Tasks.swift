import ComposableEnvironment

extension Catalog {
  /// A task and its value, created inside nested scopes: each scope is one more binding to copy.
  static let tasks = series("tasks", "Task {} and its value", [0, 1, 8, 32, 128], "scopes deep") {
    depth in
    Workload(suspending: { count in
      await nested(depth) { () async in
        for _ in 0..<count { sink(await Task { 0 }.value) }
      }
    })
  }

  /// Accesses of a derived environment, and their preparation.
  static let derived = [
    Benchmark("derived/parent", "create a parent") {
      Benchmark.Subject(
        operation: Workload { count in
          for _ in 0..<count { sink(ParentEnvironment()) }
        })
    },
    Benchmark(
      "derived/first", "create a parent, and parent.child once", against: "create a parent"
    ) {
      Benchmark.Subject(
        operation: Workload { count in
          for _ in 0..<count { sink(ParentEnvironment().child) }
        },
        yardstick: Workload { count in
          for _ in 0..<count { sink(ParentEnvironment()) }
        })
    },
    Benchmark("derived/later", "parent.child, after the first access") {
      let parent = ParentEnvironment()
      return Benchmark.Subject(
        operation: Workload { count in
          let parent = opaque(parent)
          for _ in 0..<count { sink(parent.child) }
        })
    },
    Benchmark("derived/with", "parent.with(\\.number, …), and its child") {
      let parent = ParentEnvironment()
      return Benchmark.Subject(
        operation: Workload { count in
          let parent = opaque(parent)
          for number in 0..<count { sink(parent.with(\.number, number).child) }
        })
    },
  ]

  static func createWrapper(in scope: DependencyScope) -> Workload {
    Workload { count in
      scope.run { for _ in 0..<count { sink(Dependency(\.number)) } }
    }
  }
}
