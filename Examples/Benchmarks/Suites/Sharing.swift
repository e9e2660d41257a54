import ComposableDependencies
import ComposableResources

/// Shared values, each read beside as many overridden dependencies as it has inputs, and one more.
extension Catalog {
  static let sharing =
    [
      row(
        "nothing", "made from nothing", { DependencyScope.current[Lonely.self] }, inputs: 0,
        limit: 5),
      row(
        "override", "made from one override", { DependencyScope.current[One.self] }, inputs: 1,
        limit: 3.5),
      row(
        "three", "made from three overrides", { DependencyScope.current[Three.self] }, inputs: 3,
        limit: 2.5),
      row(
        "defaults", "made from three defaults", { DependencyScope.current[Defaults.self] },
        inputs: 3, limit: 2.5),
    ]
    + [
      Benchmark(
        "limits/shared-two-threads", "a shared value that two threads read",
        against: "one for each thread, in a store of its own", limit: 1.5
      ) {
        let scope = DependencyScope.overriding(1)
        return Benchmark.Subject(
          operation: readInTwoThreads { scope },
          yardstick: readInTwoThreads { .isolated().with { $0.number = 7 } })
      }
    ]
    + [10, 1_000].map { count in
      Benchmark(
        "limits/set-beside-shared/\(count)",
        "set a global value, with \(count) shared instances in the store",
        against: "the same with 1", limit: 1.5
      ) {
        Benchmark.Subject(operation: setGlobally(beside: count), yardstick: setGlobally(beside: 1))
      }
    }

  /// Each in a scope of its own, because threads slow each other down in a shared one.
  private static func readInTwoThreads(
    in scope: @escaping @Sendable () -> DependencyScope
  ) -> Workload {
    Workload(threads: 2) { count in
      scope().with { $0[Second.self] = count }.run {
        for _ in 0..<count { sink(DependencyScope.current[One.self]) }
      }
    }
  }

  /// Sets a global value that no instance depends on.
  private static func setGlobally(beside count: Int) -> Workload {
    let scope = DependencyScope.isolated()
    let users = (0..<count).map { number in scope.with { $0.number = number } }
    for user in users { user.run { sink(DependencyScope.current[One.self]) } }
    return Workload { operations in
      scope.run {
        for number in 0..<operations { Dependencies.setGlobally { $0.globalNumber = number } }
      }
      withExtendedLifetime(users) {}
    }
  }

  private static func row(
    _ name: String, _ title: String, _ read: @escaping @Sendable () -> Int, inputs: Int,
    limit: Double
  ) -> Benchmark {
    Benchmark(
      "limits/shared-\(name)", "a shared value, \(title)",
      against: "\(inputs + 1) read\(inputs == 0 ? "" : "s") of overridden dependencies",
      limit: limit, allocationLimit: 0
    ) {
      let scope = DependencyScope.overriding(1).with {
        $0[Second.self] = 2
        $0[Third.self] = 3
      }
      return Benchmark.Subject(
        operation: Workload { count in
          scope.run { for _ in 0..<count { sink(read()) } }
        },
        yardstick: Workload { count in
          scope.run {
            for _ in 0..<count {
              for _ in 0...inputs { sink(DependencyScope.current[NumberKey.self]) }
            }
          }
        })
    }
  }

}

private enum Second: DependencyKey { static var defaultValue: Int { 1 } }
private enum Third: DependencyKey { static var defaultValue: Int { 1 } }

private enum Lonely: SharedKey {
  static func make(_ needs: SharedInputs) -> Int { 7 }
}

private enum One: SharedKey {
  static func make(_ needs: SharedInputs) -> Int { needs[\.number] + 1 }
}

private enum Three: SharedKey {
  static func make(_ needs: SharedInputs) -> Int {
    needs[\.number] + needs[Second.self] + needs[Third.self]
  }
}

private enum Defaults: SharedKey {
  static func make(_ needs: SharedInputs) -> Int {
    needs[Unset<Int>.self] + needs[Unset<Bool>.self] + needs[Unset<String>.self]
  }
}

private enum Unset<Tag: Sendable>: DependencyKey {
  static var defaultValue: Int { 1 }
}
