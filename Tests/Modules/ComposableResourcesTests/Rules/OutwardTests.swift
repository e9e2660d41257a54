import ComposableDependencies
import ComposableResources
import TestSupport
import Testing

@Suite("Rule 28: outward")
struct OutwardTests {
  @Test("a listed key opens in its own lifetime, also inside a lifetime that has it")
  func listedAgain() async throws {
    try await withWorld { world in
      try await withResources(A.self) {
        try await withResources(A.self) { #expect(DependencyScope.current.a == "A2") }
        #expect(DependencyScope.current.a == "A1")
      }
      #expect(world.events("close") == ["close A2", "close A1"])
    }
  }

  @Test("a listed resource that fails isn't replaced by an outer lifetime's")
  func listedFails() async throws {
    try await withWorld { world in
      let failed = Gate()
      try await withResources(A.self) {
        world["A"].open = { _ in
          failed.open()
          throw Failure(name: "A")
        }
        world["B"].open = { needs in
          await failed.wait()
          await yield(20)
          world.record("B has \(try await needs(A.self))")
        }
        await #expect(throws: Failure(name: "A")) { try await withResources(A.self, B.self) {} }
      }
      #expect(world.events("B") == [])
    }
  }

  @Test("a resource that no lifetime has opens in the lifetime that asks")
  func needsNobodys() async throws {
    try await withWorld { world in
      world["B"].open = { world.record("B has \(try await $0(A.self))") }
      try await withResources(C.self) {
        for _ in 1...2 { try await withResources(B.self) {} }
        #expect(DependencyScope.current.a == "test A")
      }
      #expect(
        world.events("B", "close") == [
          "B has A1", "close B1", "close A1", "B has A2", "close B2", "close A2", "close C1",
        ])
    }
  }

  @Test("inner lifetimes share what an outer lifetime opened on demand")
  func onDemand() async throws {
    try await withWorld { world in
      try await withResources {
        _ = try await DependencyScope.current.open(A.self)
        try await withResources(B.self) {
          let a = try await DependencyScope.current.open(A.self)
          #expect(a == "A1")
          let c = try await DependencyScope.current.open(C.self)
          #expect(c == "C1")
        }
        let c = try await DependencyScope.current.open(C.self)
        #expect(c == "C2")
      }
      #expect(world.events("close") == ["close C1", "close B1", "close C2", "close A1"])
    }
  }

  @Test("a scope captured in an outer lifetime opens resources in that lifetime")
  func capturedOuter() async throws {
    try await withWorld { world in
      try await withResources {
        let outer = DependencyScope.current
        try await withResources(B.self) {
          let a = try await outer.open(A.self)
          #expect(a == "A1")
        }
        world.record("between lifetimes")
      }
      #expect(world.events("close", "between") == ["close B1", "between lifetimes", "close A1"])
    }
  }

  @Test("asking without a lifetime throws an error that says what to write instead")
  func noLifetime() async throws {
    await withWorld { _ in
      let error = await #expect(throws: ResourceError.self) {
        try await DependencyScope.current.open(A.self)
      }
      #expect(
        error?.description == """
          `Resource<NameA>` can't be opened, because this scope has no lifetime.
            Instead: call `open` inside the operation of `withResources`, which closes the resource.
          """)
    }
  }

  @Test("task-locals reach the operation and every function of a resource")
  func taskLocals() async throws {
    enum Local { @TaskLocal static var name = "nobody" }
    try await withWorld { world in
      world["A"].open = { _ in world.record("open by \(Local.name)") }
      world["A"].close = { world.record("close by \(Local.name)") }
      try await Local.$name.withValue("caller") {
        try await withResources(A.self) { world.record("operation by \(Local.name)") }
      }
      #expect(
        world.events.filter { $0.contains("by") } == [
          "open by caller", "operation by caller", "close by caller",
        ])
    }
  }
}
