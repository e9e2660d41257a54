import ComposableDependencies
import TestSupport
import Testing

@Suite("Costs of carrying a scope", .enabled(if: Allocations.areCounted))
struct CarryingCostTests {
  /// One override and many, each around the operation itself and a thousand levels outside it.
  private func allocations(of operation: () -> Void) -> [Int] {
    let members = ManyKeys.first(255)
    let one = DependencyScope.root.with(\.a, 10)
    let many = members.reduce(one) { $0.with($1, 0) }
    return [one, many].flatMap { scope in
      [1, 1_000].map { depth in
        scope.run { nested(depth - 1) { Allocations.fewest(of: operation).allocated } }
      }
    }
  }

  private func nested<R>(_ depth: Int, _ operation: () -> R) -> R {
    if depth == 0 { return operation() }
    return withDependencies {
      $0.a = depth
    } operation: {
      nested(depth - 1, operation)
    }
  }

  @Test("the cost of binding a closure doesn't depend on overrides and nesting")
  func binding() {
    let add: @Sendable (Int, Int) -> Int = { $0 + $1 }
    var bound = add
    let counts = allocations { bound = DependencyScope.current.bind(add) }
    #expect(Set(counts).count == 1, "\(counts)")
    #expect(bound(1, 2) == 3)
  }

  @Test("calling a bound closure costs as much as running it in its scope")
  func callingBoundClosures() {
    var count = 0
    let increment: () -> Void = { count += 1 }
    let scopes = [DependencyScope.root, .root.with(\.a, 10)]
    for scope in scopes {
      let bound = scope.bind(increment)
      #expect(Allocations.fewest(of: bound) == Allocations.fewest { scope.run(increment) })
    }
    #expect(count == 40)
  }

  @Test("the cost of a detached task doesn't depend on overrides and nesting")
  func detachedTasks() {
    let counts = allocations { Task.detached(in: .current) {} }
    // The library doesn't control whether a block comes from the queue's cache or from the heap.
    #expect(counts.max()! <= counts.min()! + 2)
  }

  @Test("the cost of scoping a sequence doesn't depend on overrides and nesting")
  func scopedSequences() {
    let numbers = AsyncStream<Int> { $0.finish() }
    let costs = [
      allocations { _ = numbers.scoped(to: .current) },
      allocations { _ = numbers.scoped(to: .current).makeAsyncIterator() },
    ]
    for counts in costs { #expect(Set(counts).count == 1, "\(counts)") }
  }
}
