import ComposableDependencies
import TestSupport
import Testing

@Suite("Entering a scope")
struct EnteringTests {
  private struct Failure: Error, Equatable {}

  @Test("rule 4: returning restores the outer scope")
  func restoresOnReturn() async {
    let scope = DependencyScope.root.with(\.a, 10)
    #expect(scope.run { DependencyScope.current.a } == 10)
    #expect(DependencyScope.current.a == 1)
    let value = await scope.run {
      await Task.yield()
      return DependencyScope.current.a
    }
    #expect(value == 10)
    #expect(DependencyScope.current.a == 1)
  }

  @Test("rule 4: throwing restores the outer scope, and keeps the type of the error")
  func restoresOnThrow() async {
    func fail() throws(Failure) { throw Failure() }
    func failLater() async throws(Failure) {
      await Task.yield()
      throw Failure()
    }
    let scope = DependencyScope.root.with(\.a, 10)
    do throws(Failure) {
      try scope.run { () throws(Failure) in try fail() }
    } catch {
      #expect(error == Failure())
    }
    #expect(DependencyScope.current.a == 1)
    do throws(Failure) {
      try await scope.run { () async throws(Failure) in try await failLater() }
    } catch {
      #expect(error == Failure())
    }
    #expect(DependencyScope.current.a == 1)
    #expect(throws: Failure.self) {
      try withDependencies {
        $0.a = 10
      } operation: {
        throw Failure()
      }
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
      $0.a = 10
      $0.b = 20
    } operation: {
      DependencyScope.root.with(\.a, 30).run {
        #expect((DependencyScope.current.a, DependencyScope.current.b) == (30, 2))
      }
      DependencyScope.root.run {
        #expect(DependencyScope.current.a == 1)
      }
      #expect((DependencyScope.current.a, DependencyScope.current.b) == (10, 20))
    }
  }

  @Test("withDependencies adds to the current scope")
  func withDependenciesAdds() async {
    await withDependencies {
      $0.a = 10
    } operation: {
      await withDependencies {
        $0.b = 20
      } operation: {
        await Task.yield()
        #expect((DependencyScope.current.a, DependencyScope.current.b) == (10, 20))
      }
    }
  }

  @Test("an operation can return nonsendable values, and change captured variables")
  @MainActor
  func nonSendableResults() async {
    final class Counter { var count = 0 }
    let counter = Counter()
    let same = await DependencyScope.root.with(\.a, 10).run {
      counter.count += DependencyScope.current.a
      await Task.yield()
      MainActor.assertIsolated()
      return counter
    }
    #expect(same.count == 10)
  }
}
