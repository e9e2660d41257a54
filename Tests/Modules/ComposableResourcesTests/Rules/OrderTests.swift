import ComposableDependencies
import ComposableResources
import TestSupport
import Testing

@Suite("Rule 27: order")
struct OrderTests {
  @Test("a resource closes after everything that was opened from it")
  func chain() async throws {
    try await withWorld { world in
      world["B"].open = { _ = try await $0(A.self) }
      world["C"].open = { _ = try await $0(B.self) }
      try await withResources(C.self, B.self, A.self) {}
      #expect(world.events("opened") == ["opened A1", "opened B1", "opened C1"])
      #expect(
        world.events("close", "closed") == [
          "close C1", "closed C1", "close B1", "closed B1", "close A1", "closed A1",
        ])
    }
  }

  @Test("resources that don't need each other open concurrently")
  func sideBySide() async throws {
    try await withWorld { world in
      let gate = Gate()
      for name in ["A", "B", "C"] { world[name].open = { _ in await gate.wait() } }
      async let done: Void = withResources(A.self, B.self, C.self) {}
      await gate.waitForArrivals(3)
      gate.open()
      try await done
      #expect(world.unbalanced == [])
    }
  }

  @Test("what a running resource asks for closes after it, unless that was opened from it")
  func runningNeeds() async throws {
    try await withWorld { world in
      let gate = Gate()
      world["B"].open = { _ = try await $0(A.self) }
      world["A"].run = {
        _ = try await DependencyScope.current.open(B.self)
        _ = try await DependencyScope.current.open(C.self)
        gate.open()
        await untilCancelled()
        world.record("ran A")
      }
      try await withResources(A.self) { await gate.wait() }
      #expect(world.events("ran", "close") == ["close B1", "ran A", "close A1", "close C1"])
    }
  }

  @Test("lifetimes nest deeply without filling the stack")
  func deep() async throws {
    @Sendable func nest(_ depth: Int) async throws {
      if depth == 0 { return }
      try await withResources(A.self) { try await nest(depth - 1) }
    }
    try await withWorld { world in
      try await nest(2_000)
      #expect(world.events("closed").count == 2_000)
      #expect(world.unbalanced == [])
    }
  }
}
