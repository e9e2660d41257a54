import ComposableDependencies
import ComposableResources

/// Resources, which are read like overrides, and opened in their own tasks.
extension Catalog {
  static let resources = [
    Benchmark(
      "limits/resource-read", "read an open resource, by key type",
      against: "read an overridden dependency, by key type", limit: 1.1
    ) {
      Benchmark.Subject(
        operation: Workload(suspending: { count in
          await open(One.self) { for _ in 0..<count { sink(DependencyScope.current[One.self]) } }
        }),
        yardstick: Workload(suspending: { count in
          withDependencies {
            $0[One.self] = 7
          } operation: {
            for _ in 0..<count { sink(DependencyScope.current[One.self]) }
          }
        }))
    },
    Benchmark(
      "limits/resource-open", "open and close three resources that do nothing",
      against: "three child tasks of a group", limit: 8
    ) {
      Benchmark.Subject(
        operation: Workload(suspending: { count in
          for _ in 0..<count { await open(One.self, Two.self, Three.self) { sink(0) } }
        }),
        yardstick: Workload(suspending: { count in
          for _ in 0..<count {
            await withTaskGroup { group in
              for number in 0..<3 { group.addTask { sink(number) } }
            }
          }
        }))
    },
    Benchmark("limits/lifetime", "a lifetime without resources", against: task, limit: 6) {
      Benchmark.Subject(
        operation: Workload(suspending: { count in for _ in 0..<count { await open { sink(0) } } }),
        yardstick: startTask)
    },
    Benchmark(
      "limits/lifetime-transaction", "a lifetime with a resource that is opened from an outer one",
      against: task, limit: 14
    ) {
      Benchmark.Subject(
        operation: Workload(suspending: { count in
          await open(One.self) { for _ in 0..<count { await open(Transaction.self) { sink(0) } } }
        }),
        yardstick: startTask)
    },
  ]

  private static let task = "a task, and its value"

  private static let startTask = Workload(suspending: { count in
    for _ in 0..<count { await Task { sink(0) }.value }
  })

  private static func open<each Key: ResourceKey>(
    _ keys: repeat (each Key).Type, operation: @concurrent () async -> Void
  ) async {
    do {
      try await withResources(repeat each keys, operation: operation)
    } catch {
      fatalError("\(error)")
    }
  }
}

private protocol Nothing: ResourceKey where Value == Int {}

extension Nothing {
  static var defaultValue: Int { 0 }
  static func open(_ needs: ResourceOpening) async throws -> Int { 7 }
  static func close(_ value: Int) async {}
}

private enum One: Nothing {}
private enum Two: Nothing {}
private enum Three: Nothing {}

private enum Transaction: ResourceKey {
  static var defaultValue: Int { 0 }
  static func open(_ needs: ResourceOpening) async throws -> Int { try await needs(One.self) }
  static func close(_ value: Int) async {}
}
