import ComposableDependencies
import ComposableEnvironment
import GlobalEnvironment
import DependencyDebugging

/// The cost that one part of a program puts on another.
extension Catalog {
  static let others = afterFirst + besideMany

  /// In a store in which much is set and aliased, compared to an empty store.
  private static let besideMany = reads.map { name, title, overridesNumber, workload in
    Benchmark(
      "others/\(name)", "\(title), with 1,000 global values and 1,000 aliases of other keys",
      against: "the same without", limit: 1.1
    ) {
      let (busy, quiet) = (DependencyScope.isolated(), DependencyScope.isolated())
      func subject(_ scope: DependencyScope) -> Workload {
        workload(overridesNumber ? scope.with { $0.number = 7 } : scope)
      }
      // The scopes are older than the values and aliases.
      let subject = Benchmark.Subject(operation: subject(busy), yardstick: subject(quiet))
      busy.run {
        Dependencies.setGlobally { Others.override(1_000, in: &$0) }
        for number in 0..<1_000 {
          Settings().aliasing(Others.path(number), to: Others.path(number + 1_000))
        }
      }
      return subject
    }
  }

  private static let reads:
    [(
      name: String, title: String, overridesNumber: Bool,
      workload: @Sendable (DependencyScope) -> Workload
    )] = [
      ("wrapper", "@Dependency, overridden", true, { readWrapper(in: $0) }),
      ("wrapper-default", "@Dependency, a default", false, { readWrapper(in: $0) }),
      ("current", "current.number, overridden", true, { readCurrent(in: $0) }),
      ("current-default", "current.number, a default", false, { readCurrent(in: $0) }),
      ("override", "scope.with { $0.number = … }", false, { override(in: $0) }),
      ("two-threads", "current.number, a default, in two threads", false, readInTwoThreads),
    ]

  /// Each in a scope of its own, because threads slow each other down in a shared one.
  private static let readInTwoThreads: @Sendable (DependencyScope) -> Workload = { scope in
    Workload(threads: 2) { count in
      scope.with { $0.globalNumber = count }.run {
        for _ in 0..<count { sink(DependencyScope.current.number) }
      }
    }
  }

  /// Before and after a feature is used for the first time in the process.
  ///
  /// A feature that switched something on for the whole process would show here, and only here. So
  /// nothing that ran earlier may have used it.
  private static let afterFirst = features.flatMap { name, title, use in
    comparing("first-\(name)", "after \(title)", FirstUse(operations, bare: Bare.entering, use))
  }

  /// These run last, because what they set in the process's store stays there.
  static let process = comparing(
    "process", "with 1,000 values and 1,000 aliases of other keys in the process's store",
    FirstUse(operations, bare: Bare.entering) {
      Dependencies.setGlobally { Others.override(1_000, in: &$0) }
      for number in 0..<1_000 {
        Settings().aliasing(Others.path(number + 3_000), to: Others.path(number + 4_000))
      }
    })

  private static func comparing(_ name: String, _ condition: String, _ firstUse: FirstUse)
    -> [Benchmark]
  {
    operations.map { operation in
      Benchmark(
        "others/\(name)/\(operation.name)", "\(operation.title), \(condition)",
        against: "the same before, times the slowdown of a bare withValue", limit: 1.1,
        operation.name, of: firstUse)
    }
  }

  private static let features: [(name: String, title: String, use: @Sendable () -> Void)] = [
    (
      "alias", "another key is aliased",
      { Settings().aliasing(Others.path(2_000), to: Others.path(2_001)) }
    ),
    (
      "value", "another key is set globally",
      { Dependencies.setGlobally { Others.setters[2_002](&$0, 1) } }
    ),
    (
      "assigned", "a derived environment of another type is assigned",
      {
        var other = OtherEnvironment()
        other.child = other.child.with(\.number, 1)
        sink(other.with(\.number, 2).child.number)
      }
    ),
    (
      "recording", "another store records",
      {
        DependencyScope.isolated().run {
          Dependencies.startRecording()
          withDependencies {
            $0.number = 1
          } operation: {
            sink(DependencyScope.current.explain().entries.count)
          }
        }
      }
    ),
  ]

  private static let operations: [FirstUse.Operation] = [
    ("wrapper", "@Dependency, overridden", { readWrapper(in: .overriding(1)) }),
    ("wrapper-default", "@Dependency, a default", { readWrapper(in: .overridingOthers(1)) }),
    ("current-default", "current.number, a default", { readCurrent(in: .overridingOthers(1)) }),
    ("environment", "environment.number, overridden", { readEnvironment(in: .overriding(1)) }),
    ("enter", "enter and leave with one more", { enter(in: .overriding(1)) }),
    ("with", "environment.with(\\.number, …)", { recreate(Wide()) }),
    ("two-threads", "@Dependency, a default, in two threads", readWrapperInTwoThreads),
  ]

  private static let readWrapperInTwoThreads: @Sendable () -> Workload = {
    Workload(threads: 2) { count in
      DependencyScope.overridingOthers(1).run {
        let child = ChildEnvironment()
        for _ in 0..<count { sink(child.declared) }
      }
    }
  }

  /// Recreates an environment with ten dependencies and a derived environment.
  private static func recreate(_ environment: Wide) -> Workload {
    sink(environment.child)
    return Workload { count in
      for number in 0..<count { sink(environment.with(\.number, number).child) }
    }
  }

  private struct Wide: ComposableEnvironment {
    let scope = DependencyScope.current
    @Dependency(\.number) var first
    @Dependency(\.number) var second
    @Dependency(\.number) var third
    @Dependency(\.number) var fourth
    @Dependency(\.number) var fifth
    @Dependency(\.number) var sixth
    @Dependency(\.number) var seventh
    @Dependency(\.number) var eighth
    @Dependency(\.number) var ninth
    @Dependency(\.number) var tenth
    @DerivedEnvironment<ChildEnvironment> var child
  }

  private struct OtherEnvironment: ComposableEnvironment {
    let scope = DependencyScope.current
    @DerivedEnvironment<OtherChild> var child
  }

  private struct OtherChild: ComposableEnvironment {
    let scope = DependencyScope.current
  }

  private struct Settings: GlobalDependenciesAccessing {}
}
