import ComposableDependencies
import ComposableResources
import TestSupport
import Testing

@Suite("Rule 30: failure")
struct FailureTests {
  @Test("a failed opening cancels other openings, closes open resources, and is thrown")
  func opening() async throws {
    await withWorld { world in
      let gate = Gate()
      world["B"].open = { _ in
        gate.open()
        await untilCancelled()
        try Task.checkCancellation()
      }
      world["C"].open = { needs in
        _ = try await needs(A.self)
        await gate.wait()
        throw Failure(name: "C")
      }
      await #expect(throws: Failure(name: "C")) {
        try await withResources(A.self, B.self, C.self) { world.record("operation ran") }
      }
      #expect(world.events("failed") == ["failed C", "failed B"])
      #expect(world.events("closed") == ["closed A1"])
      #expect(world.events("operation") == [])
    }
  }

  @Test("a resource that opens despite its cancellation is closed")
  func stubborn() async throws {
    await withWorld { world in
      let gate = Gate()
      world["A"].open = { _ in
        gate.open()
        await untilCancelled()
      }
      world["A"].run = { world.record("ran A") }
      world["B"].open = { _ in
        await gate.wait()
        throw Failure(name: "B")
      }
      await #expect(throws: Failure(name: "B")) { try await withResources(A.self, B.self) {} }
      #expect(
        world.events == [
          "open A", "open B", "failed B", "opened A1", "close A1", "closed A1",
        ]
          || world.events == [
            "open B", "open A", "failed B", "opened A1", "close A1", "closed A1",
          ])
    }
  }

  @Test("a resource that needs a failed one throws its error, unless it handles it")
  func needed() async throws {
    try await withWorld { world in
      world["A"].open = { _ in throw Failure(name: "A") }
      world["B"].open = { _ = try await $0(A.self) }
      await #expect(throws: Failure(name: "A")) { try await withResources(B.self) {} }
      world["B"].open = { needs in
        await #expect(throws: Failure(name: "A")) { try await needs(A.self) }
      }
      try await withResources(B.self) { #expect(DependencyScope.current.b == "B1") }
      #expect(world.unbalanced == [])
    }
  }

  @Test("an error of `run` cancels the operation, and is thrown unless that throws its own")
  func runDuringOperation() async throws {
    for error in [nil, CancellationError(), Failure(name: "own")] as [(any Error)?] {
      await withWorld { world in
        let gate = Gate()
        world["A"].run = {
          await gate.wait()
          throw Failure(name: "run")
        }
        let reported = await issues {
          await #expect(throws: Failure(name: error is Failure ? "own" : "run")) {
            try await withResources(A.self) {
              gate.open()
              await untilCancelled()
              if let error { throw error }
            }
          }
        }
        #expect(reported.isEmpty)
      }
    }
  }

  @Test("an error that `run` throws after the operation is reported, unless it is its cancellation")
  func runAfterOperation() async throws {
    for error in [CancellationError(), Failure(name: "run")] as [any Error] {
      try await withWorld { world in
        let gate = Gate()
        world["A"].run = {
          gate.open()
          await untilCancelled()
          throw error
        }
        let line: UInt = #line + 2
        let reported = try await issues {
          let value = try await withResources(A.self) {
            await gate.wait()
            return 1
          }
          #expect(value == 1)
        }
        guard error is Failure else { return #expect(reported.isEmpty) }
        #expect(
          reported.map(\.problem) == [
            #"`run` of `Resource<NameA>` threw an error that nothing catches: Failure(name: "run")."#
          ])
        #expect(reported.first?.line == line)
      }
    }
  }
}
