import ComposableDependencies
import ComposableResources
import TestSupport
import Testing

@Suite("Rule 31: cancellation")
struct CancellationTests {
  @Test("an already cancelled caller opens nothing")
  func before() async throws {
    await withWorld { world in
      let task = Task {
        await untilCancelled()
        try await withResources(A.self) { world.record("operation ran") }
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(world.events == [])
    }
  }

  @Test("the operation is cancelled with its caller, closing is not")
  func operation() async throws {
    await withWorld { world in
      let gate = Gate()
      world["A"].close = {
        await yield(3)
        world.record("cancelled \(Task.isCancelled)")
      }
      let task = Task {
        try await withResources(A.self) {
          gate.open()
          await untilCancelled()
          try Task.checkCancellation()
        }
      }
      await gate.wait()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(world.events("cancelled", "closed") == ["cancelled false", "closed A1"])
    }
  }

  @Test("a caller that is canceled while a resource opens cancels that, and runs nothing")
  func opening() async throws {
    await withWorld { world in
      let gate = Gate()
      world["A"].open = { _ in
        gate.open()
        await untilCancelled()
        try Task.checkCancellation()
      }
      let task = Task { try await withResources(A.self) { world.record("operation ran") } }
      await gate.wait()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(world.events == ["open A", "failed A"])
    }
  }

  @Test("a task that waits on demand when the lifetime closes gets an error")
  func straggler() async throws {
    try await withWorld { world in
      let gate = Gate()
      world["A"].open = { _ in
        gate.open()
        await untilCancelled()
        try Task.checkCancellation()
      }
      let straggler = try await withResources {
        let straggler = Task { try await DependencyScope.current.open(A.self) }
        await gate.wait()
        return straggler
      }
      await #expect(throws: CancellationError.self) { try await straggler.value }
      #expect(world.unbalanced == [])
    }
  }
}
