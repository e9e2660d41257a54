import ComposableDependencies
import TestSupport
import Testing

@Suite("Boundaries")
struct BoundariesTests {
  private static func expectPlainRead(across crossing: Crossing) async {
    let values = await crossing.values { { DependencyScope.current.a } }
    #expect(!values.isEmpty)
    switch crossing.finding {
    case .kept: #expect(values.allSatisfy { $0 == 10 }, "\(values)")
    case .lost: #expect(values.allSatisfy { $0 == 1 }, "\(values)")
    case .someoneElses: #expect(values.allSatisfy { $0 == 99 }, "\(values)")
    case .mixed: #expect(values.allSatisfy { $0 == 10 || $0 == 1 }, "\(values)")
    }
  }

  private static func expectBoundRead(across crossing: Crossing) async {
    let values = await crossing.values {
      DependencyScope.current.bind { DependencyScope.current.a }
    }
    #expect(!values.isEmpty && values.allSatisfy { $0 == 10 }, "\(values)")
  }

  private static func expectCapturedRead(across crossing: Crossing) async {
    let values = await crossing.values {
      let scope = DependencyScope.current
      return { scope.a }
    }
    #expect(!values.isEmpty && values.allSatisfy { $0 == 10 }, "\(values)")
  }

  @Test("rule 5: a plain read follows the table of boundaries", arguments: Crossing.all)
  func plainRead(across crossing: Crossing) async {
    await Self.expectPlainRead(across: crossing)
  }

  @Test("a bound closure reads the scope it is bound to", arguments: Crossing.all)
  func boundRead(across crossing: Crossing) async {
    await Self.expectBoundRead(across: crossing)
  }

  @Test("a captured scope reads the same after any boundary", arguments: Crossing.all)
  func capturedRead(across crossing: Crossing) async {
    await Self.expectCapturedRead(across: crossing)
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
  @Test("immediate tasks and isolated deinit follow the table")
  func newerBoundaries() async {
    for crossing in Crossing.immediateTasks + Crossing.isolatedDeinits {
      await Self.expectPlainRead(across: crossing)
      await Self.expectBoundRead(across: crossing)
      await Self.expectCapturedRead(across: crossing)
    }
  }
}
