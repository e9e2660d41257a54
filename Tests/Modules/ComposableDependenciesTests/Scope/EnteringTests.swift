import ComposableDependencies
import TestSupport
import Testing

@Suite("Entering a scope")
struct EnteringTests {
  private struct Failure: Error {}
  private let scope = DependencyScope.root.with(\.a, 10)

  @Test("rule 4: returning, also after a suspension, restores the outer scope")
  func restoresOnReturn() async {
    #expect(scope.run { DependencyScope.current.a } == 10)
    #expect(DependencyScope.current.a == 1)
    let value = await scope.run {
      await Task.yield()
      return DependencyScope.current.a
    }
    #expect(value == 10)
    #expect(DependencyScope.current.a == 1)
  }

  @Test("rule 4: throwing restores the outer scope")
  func restoresOnThrow() async {
    #expect(throws: Failure.self) { try scope.run { throw Failure() } }
    #expect(DependencyScope.current.a == 1)
    await #expect(throws: Failure.self) {
      try await scope.run {
        await Task.yield()
        throw Failure()
      }
    }
    #expect(DependencyScope.current.a == 1)
    #expect(throws: Failure.self) {
      try withDependencies({ $0.a = 10 }, operation: { throw Failure() })
    }
    #expect(DependencyScope.current.a == 1)
  }

  @Test("rule 4: cancellation at a suspension point restores the outer scope")
  func restoresOnCancellation() async {
    let task = Task {
      do {
        try await withDependencies {
          $0.a = 10
        } operation: {
          while true {
            await Task.yield()
            try Task.checkCancellation()
          }
        }
      } catch {}
      return DependencyScope.current.a
    }
    task.cancel()
    #expect(await task.value == 1)
  }

  @Test("rule 6: run replaces the current scope")
  func runReplaces() {
    withDependencies {
      $0.a = 99
      $0.b = 20
    } operation: {
      scope.run {
        #expect((DependencyScope.current.a, DependencyScope.current.b) == (10, 2))
      }
      #expect((DependencyScope.current.a, DependencyScope.current.b) == (99, 20))
    }
  }
}
