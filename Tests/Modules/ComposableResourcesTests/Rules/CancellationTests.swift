import ComposableDependencies
import ComposableResources
import Synchronization
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

  @Test("cancelling the caller stops openings, even those that would never end")
  func during() async throws {
    await withWorld { world in
      let gate = Gate()
      world["B"].open = { needs in
        _ = try await needs(A.self)
        gate.open()
        await untilCancelled()
        try Task.checkCancellation()
      }
      let task = Task {
        try await withResources(A.self, B.self) { world.record("operation ran") }
      }
      await gate.wait()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(
        world.events == [
          "open A", "open B", "opened A1", "failed B", "close A1", "closed A1",
        ]
          || world.events == [
            "open A", "opened A1", "open B", "failed B", "close A1", "closed A1",
          ]
          || world.events == [
            "open B", "open A", "opened A1", "failed B", "close A1", "closed A1",
          ])
    }
  }

  @Test("closing isn't cancelled if the operation cancels its own task")
  func ownTask() async throws {
    try await withWorld { world in
      world["A"].close = { world.record("cancelled \(Task.isCancelled)") }
      try await withResources(A.self) {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      }
      #expect(world.events.contains("cancelled false"), "\(world.events)")
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

  @Test("an operation that hasn't suspended yet is cancelled with its caller")
  func operationAtOnce() async throws {
    await withWorld { world in
      let caller = Mutex<Task<Void, any Error>?>(nil)
      let hasTask = Gate()
      let task = Task {
        await hasTask.wait()
        try await withResources(A.self) {
          world.record("cancelled \(Task.isCancelled)")
          caller.withLock { $0 }?.cancel()
          world.record("cancelled \(Task.isCancelled)")
        }
      }
      caller.withLock { $0 = task }
      hasTask.open()
      await #expect(throws: Never.self) { try await task.value }
      #expect(
        world.events("cancelled", "closed") == [
          "cancelled false", "cancelled true", "closed A1",
        ])
    }
  }

  @Test("a caller that is cancelled while it closes gets the result of the operation")
  func closing() async throws {
    try await withWorld { world in
      let (closes, goesOn) = (Gate(), Gate())
      world["A"].close = {
        closes.open()
        await goesOn.wait()
        world.record("cancelled \(Task.isCancelled)")
      }
      let task = Task { try await withResources(A.self) { 1 } }
      await closes.wait()
      task.cancel()
      goesOn.open()
      let value = try await task.value
      #expect(value == 1)
      #expect(world.events("cancelled", "closed") == ["cancelled false", "closed A1"])
    }
  }

  @Test("run is cancelled when its resource begins to close, and has ended before close")
  func run() async throws {
    try await withWorld { world in
      let gate = Gate()
      world["A"].run = {
        gate.open()
        await untilCancelled()
        await yield(5)
        world.record("ran A")
      }
      world["B"].open = { _ = try await $0(A.self) }
      try await withResources(B.self) { await gate.wait() }
      #expect(
        world.events("close", "closed", "ran") == [
          "close B1", "closed B1", "ran A", "close A1", "closed A1",
        ])
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
