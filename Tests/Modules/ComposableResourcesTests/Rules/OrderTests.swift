import ComposableDependencies
import TestSupport
import Testing

@testable import ComposableResources

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

  @Test("rule 27: a pool closes after a transaction that outlives the operation")
  func outliving() async throws {
    try await withWorld { world in
      let (isOpen, mayEnd) = (Gate(), Gate())
      world["B"].open = { _ = try await $0(A.self) }
      // Closes first, because it was opened last.
      world["C"].open = { _ = try await $0(A.self) }
      world["C"].close = { mayEnd.open() }
      let request = try await withResources(A.self, C.self) {
        let request = Task {
          try await withResources(B.self) {
            isOpen.open()
            await mayEnd.wait()
            world.record("read \(DependencyScope.current.a)")
          }
        }
        await isOpen.wait()
        return request
      }
      world.record("ended application")
      try await request.value
      // The request goes on beside the end of `C`.
      #expect(
        world.events("read", "close", "closed", "ended").filter { !$0.hasSuffix("C1") } == [
          "read A1", "close B1", "closed B1", "close A1", "closed A1", "ended application",
        ])
    }
  }

  @Test(
    "rule 27: nothing opens from a lifetime whose operation has returned, whoever else keeps it open",
    arguments: [true, false])
  func late(besideAnother: Bool) async throws {
    try await withWorld { world in
      let (isOpen, mayEnd) = (Gate(), Gate())
      let application = Shared<DependencyScope?>(nil)
      world["B"].open = { _ = try await $0(A.self) }
      // Closes first, because it was opened last.
      world["C"].open = { _ = try await $0(A.self) }
      world["C"].close = {
        await application.value?.run {
          await #expect(throws: ResourceError.self) { try await withResources(B.self) {} }
          await #expect(throws: ResourceError.self) {
            try await DependencyScope.current.open(A.self)
          }
        }
        mayEnd.open()
      }
      let other = try await withResources(A.self, C.self) {
        application.update { $0 = .current }
        let other = Task {
          guard besideAnother else { return }
          try await withResources(B.self) {
            isOpen.open()
            await mayEnd.wait()
          }
        }
        if besideAnother { await isOpen.wait() }
        return other
      }
      try await other.value
      #expect(world.events("opened").contains("opened B1") == besideAnother)
      #expect(world.unbalanced == [])
    }
  }

  @Test("rule 27: what was opened before the operation returned still asks for what it has")
  func holding() async throws {
    try await withWorld { world in
      let (isOpen, mayEnd) = (Gate(), Gate())
      world["B"].open = { _ = try await $0(A.self) }
      world["B"].close = {
        do { world.record("close gets \(try await DependencyScope.current.open(A.self))") } catch {}
      }
      // Closes first, because it was opened last.
      world["C"].open = { _ = try await $0(A.self) }
      world["C"].close = { mayEnd.open() }
      let other = try await withResources(A.self, C.self) {
        let other = Task {
          try await withResources(B.self) {
            isOpen.open()
            await mayEnd.wait()
          }
        }
        await isOpen.wait()
        return other
      }
      try await other.value
      #expect(world.events.contains("close gets A1"))
    }
  }

  @Test("rule 27: code that asks while its lifetime waits for what it asks for lets that close")
  func askingWhileWaiting() async throws {
    try await withWorld { world in
      let (mayAsk, mayEnd) = (Gate(), Gate())
      world["A"].run = {
        await mayAsk.wait()
        world.record("run gets \(try await DependencyScope.current.open(B.self))")
        await untilCancelled()
      }
      world["A"].close = { mayEnd.open() }
      world["C"].open = { _ = try await $0(B.self) }
      let others = try await withResources(A.self) {
        _ = try await DependencyScope.current.open(B.self)
        let isOpen = Gate()
        let other = Task {
          try await withResources(C.self) {
            isOpen.open()
            await mayEnd.wait()
          }
        }
        await isOpen.wait()
        let lifetime = try #require(DependencyScope.current[LifetimeKey.self]?.lifetime)
        let asking = Task {
          // It waits for B, which C needs.
          while !ResourceGraph.update({
            $0[lifetime].phase == .closing && $0[lifetime].observer != nil
          }) { await Task.yield() }
          mayAsk.open()
        }
        return (other, asking)
      }
      try await others.0.value
      await others.1.value
      #expect(world.events("run") == ["run gets B1"])
      #expect(world.events("closed") == ["closed A1", "closed C1", "closed B1"])
    }
  }

  @Test("rule 27: what runs inside a resource, and asks for it, doesn't keep it open")
  func runningInside() async throws {
    try await withWorld { world in
      let isOpen = Gate()
      world["C"].open = { needs in
        _ = try await needs(A.self)
        _ = try await needs(B.self)
      }
      world["B"].run = {
        try? await withResources(C.self) {
          isOpen.open()
          await untilCancelled()
        }
        world.record("ran B")
      }
      try await withResources(A.self, B.self) { await isOpen.wait() }
      #expect(
        world.events("ran", "closed") == ["closed C1", "ran B", "closed B1", "closed A1"]
          || world.events("ran", "closed") == ["closed A1", "closed C1", "ran B", "closed B1"])
    }
  }

  @Test("rule 27: `needs`, `run` and `close` read what their lifetime has opened")
  func reading() async throws {
    try await withWorld { world in
      let ran = Gate()
      world["B"].open = { needs in
        _ = try await needs(A.self)
        world.record("open reads \(needs[\.a])")
      }
      world["B"].run = {
        world.record("run reads \(DependencyScope.current.a)")
        ran.open()
      }
      world["B"].close = {
        let scope = DependencyScope.current
        world.record("close reads \(scope.a), \(scope.b) and \(scope.c)")
      }
      try await withResources(A.self, B.self) {
        await ran.wait()
        _ = try await DependencyScope.current.open(C.self)
      }
      #expect(
        world.events.filter { $0.contains("reads") } == [
          "open reads A1", "run reads A1", "close reads A1, B1 and test C",
        ])
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
