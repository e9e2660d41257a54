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
      #expect(DependencyScope.current.a == "no A")
    }
  }

  @Test("many tasks that ask concurrently get one value")
  func manyAskers() async throws {
    try await withWorld { world in
      let gate = Gate()
      world["A"].open = { _ in await gate.wait() }
      let values = try await withResources {
        try await withThrowingTaskGroup { group in
          for _ in 0..<20 {
            group.addTask { try await DependencyScope.current.open(A.self) }
          }
          await gate.waitForArrivals()
          await yield(20)
          gate.open()
          return try await group.reduce(into: Set()) { $0.insert($1) }
        }
      }
      #expect(values == ["A1"])
      #expect(world.events == ["open A", "opened A1", "close A1", "closed A1"])
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

  @Test("an already cancelled task opens nothing")
  func cancelledBefore() async throws {
    try await withWorld { world in
      try await withResources {
        let task = Task {
          await untilCancelled()
          _ = try await DependencyScope.current.open(A.self)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
      }
      #expect(world.events == [])
    }
  }

  @Test("a resource that several resources need opens once, and each sees it")
  func shared() async throws {
    try await withWorld { world in
      world["B"].open = { needs in world.record("B has \(try await needs(A.self))") }
      world["C"].open = { needs in world.record("C has \(try await needs(A.self))") }
      try await withResources(B.self, C.self) {}
      #expect(
        world.events("open", "opened").filter { $0.contains("A") } == ["open A", "opened A1"])
      #expect(world.events("B", "C").sorted() == ["B has A1", "C has A1"])
      #expect(world.unbalanced == [])
    }
  }

  @Test("a key that is listed twice opens once, and is reported")
  func listedTwice() async throws {
    try await withWorld { world in
      let issues = try await issues {
        try await withResources(A.self, A.self) {
          #expect(DependencyScope.current.a == "A1")
        }
      }
      #expect(
        issues.map(\.problem) == [
          "`withResources` lists `Resource<NameA>.self` twice, and opens it once."
        ])
      #expect(issues.first?.fileID == #fileID)
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
