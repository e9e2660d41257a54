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
      against: "three child tasks of a group", limit: 4
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
    Benchmark(
      // The tasks of 10,000 resources leave the caches, so a longer chain would measure these.
      "limits/resource-chain", "open and close a chain of 1,000 resources on demand",
      against: "the same with 100", limit: 12
    ) {
      Benchmark.Subject(operation: openChain(of: 1_000), yardstick: openChain(of: 100))
    },
  ]

  private static func openChain(of count: Int) -> Workload {
    let first = links[links.count - count]
    return Workload(suspending: { rounds in
      for _ in 0..<rounds { await open(first) }
    })
  }

  private static func open<Key: ResourceKey>(_ key: Key.Type) async {
    await open(key, operation: { sink(0) })
  }

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

/// The resource with a number, which needs the one with the next number.
private enum Link<Number: Binary>: ResourceKey {
  static var defaultValue: Int { 0 }
  static func close(_ value: Int) async {}

  static func open(_ needs: ResourceOpening) async throws -> Int {
    let next = Number.value + 1
    return next == links.count ? 0 : try await open(links[next], needs)
  }

  private static func open<Next: ResourceKey<Int>>(
    _ next: Next.Type, _ needs: ResourceOpening
  ) async throws -> Int {
    try await needs(next)
  }
}

private let links = (0..<1_000).map { link($0, End.self, digits: 10) }

private func link<Number: Binary>(
  _ number: Int, _ begin: Number.Type, digits: Int
) -> any ResourceKey<Int>.Type {
  if digits == 0 { return Link<Number>.self }
  return number >> (digits - 1) & 1 == 0
    ? link(number, Zero<Number>.self, digits: digits - 1)
    : link(number, Digit<Number>.self, digits: digits - 1)
}

/// A number, spelled by a type.
private protocol Binary: Sendable {
  static var value: Int { get }
}

private enum End: Binary { static var value: Int { 0 } }
private enum Zero<Rest: Binary>: Binary { static var value: Int { 2 * Rest.value } }
private enum Digit<Rest: Binary>: Binary { static var value: Int { 2 * Rest.value + 1 } }

private enum One: Nothing {}
private enum Two: Nothing {}
private enum Three: Nothing {}
