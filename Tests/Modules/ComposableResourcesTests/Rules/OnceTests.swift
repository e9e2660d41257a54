import ComposableDependencies
import ComposableResources
import TestSupport
import Testing

@Suite("Rule 26: once")
struct OnceTests {
  @Test("a listed resource opens once, is read synchronously, and closes once")
  func listed() async throws {
    try await withWorld { world in
      let value = try await withResources(A.self) {
        world.record("read \(DependencyScope.current.a)")
        return DependencyScope.current.a
      }
      #expect(value == "A1")
      #expect(world.events == ["open A", "opened A1", "read A1", "close A1", "closed A1"])
      #expect(DependencyScope.current.a == "test A")
    }
  }

  @Test("cancelling the first task that asks cancels neither the opening nor other tasks")
  func cancelledAsker() async throws {
    try await withWorld { world in
      let gate = Gate()
      world["A"].open = { _ in await gate.wait() }
      try await withResources {
        let scope = DependencyScope.current
        let first = Task { try await scope.open(A.self) }
        await gate.waitForArrivals()
        let second = Task { try await scope.open(A.self) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        gate.open()
        let values = [try await second.value, try await scope.open(A.self)]
        #expect(values == ["A1", "A1"])
      }
      #expect(world.events == ["open A", "opened A1", "close A1", "closed A1"])
    }
  }

  @Test("a key that is listed twice opens once")
  func listedTwice() async throws {
    try await withWorld { world in
      try await withResources(A.self, A.self) {
        #expect(DependencyScope.current.a == "A1")
      }
      #expect(world.events == ["open A", "opened A1", "close A1", "closed A1"])
    }
  }

  @Test("after a failure on demand, the next call opens the resource again")
  func again() async throws {
    try await withWorld { world in
      world["A"].open = { _ in throw Failure(name: "A") }
      try await withResources {
        let scope = DependencyScope.current
        await #expect(throws: Failure(name: "A")) { try await scope.open(A.self) }
        world["A"].open = { _ in }
        let value = try await scope.open(A.self)
        #expect(value == "A1")
      }
      #expect(
        world.events == [
          "open A", "failed A", "open A", "opened A1", "close A1", "closed A1",
        ])
    }
  }
}
