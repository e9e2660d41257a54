import ComposableDependencies
import TestSupport
import Testing

@Suite("Boundaries")
struct BoundariesTests {
  private static func expectReads(across crossing: Crossing) async {
    let plain = await crossing.values { { DependencyScope.current.a } }
    let expected: Set<Int> =
      switch crossing.finding {
      case .kept: [10]
      case .lost: [1]
      case .someoneElses: [99]
      case .mixed: [10, 1]
      }
    #expect(!plain.isEmpty && expected.isSuperset(of: plain), "\(plain)")
    let bound = await crossing.values {
      DependencyScope.current.bind { DependencyScope.current.a }
    }
    #expect(Set(bound) == [10], "a bound closure")
    let captured = await crossing.values {
      let scope = DependencyScope.current
      return { scope.a }
    }
    #expect(Set(captured) == [10], "a captured scope")
  }

  @Test(
    "rule 5: a plain read follows the table of boundaries, bound closures and captured scopes don't",
    arguments: Crossing.all)
  func reads(across crossing: Crossing) async {
    await Self.expectReads(across: crossing)
  }

  @Test("rule 5: nothing flows from child to parent, nor between siblings")
  func isolationOfSiblings() async {
    await withTaskGroup { group in
      for number in 10..<60 {
        group.addTask {
          await withDependencies {
            $0.a = number
          } operation: {
            for _ in 0..<5 {
              await Task.yield()
              #expect(DependencyScope.current.a == number)
            }
          }
          #expect(DependencyScope.current.a == 1)
        }
      }
    }
    #expect(DependencyScope.current.a == 1)
  }

  private enum Cache { static let a = DependencyScope.current.a }

  @Test("a lazy static permanently keeps what its first access read")
  func lazyStatic() {
    Crossing.elsewhere.run { _ = Cache.a }
    Crossing.here.run { #expect(Cache.a == 99) }
  }

  // Newer than the oldest supported system, which a test's arguments can't be.

  @available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *)
  @Test("rule 5: immediate tasks and isolated deinit follow the table")
  func newerBoundaries() async {
    for crossing in Crossing.immediateTasks + Crossing.isolatedDeinits {
      await Self.expectReads(across: crossing)
    }
  }
}
