import ComposableDependencies
import ComposableResources
import ComposableTesting
import TestSupport
import Testing

@Suite("Rule 29: override")
struct OverrideTests {
  @Test("an overridden key is neither opened nor closed")
  func overridden() async throws {
    try await withWorld { world in
      try await withDependencies {
        $0.a = "fake"
      } operation: {
        try await withResources(A.self, B.self) {
          #expect(DependencyScope.current.a == "fake")
          #expect(DependencyScope.current.b == "B1")
          let a = try await DependencyScope.current.open(A.self)
          #expect(a == "fake")
        }
      }
      #expect(world.events == ["open B", "opened B1", "close B1", "closed B1"])
    }
  }

  @Test("a key that is set globally is not opened, and its value stays live")
  func global() async throws {
    try await withWorld { world in
      DependencyScope.current.setGlobally(\.a, "global")
      try await withResources(A.self) {
        #expect(DependencyScope.current.a == "global")
        DependencyScope.current.setGlobally(\.a, "newer")
        #expect(DependencyScope.current.a == "newer")
        let a = try await DependencyScope.current.open(A.self)
        #expect(a == "newer")
      }
      #expect(world.events == [])
    }
  }

  @Test("a resource opened from an overridden one receives the override")
  func needed() async throws {
    try await withWorld { world in
      world["B"].open = { world.record("B has \(try await $0(A.self))") }
      try await withDependencies {
        $0.a = "fake"
      } operation: {
        try await withResources(B.self) {}
      }
      #expect(world.events("B", "open") == ["open B", "B has fake"])
    }
  }

  @Test("a key that is aliased to an overridden one is not opened")
  func aliased() async throws {
    try await withWorld { world in
      DependencyScope.current.alias(\.b, to: \.a, fileID: #fileID, line: #line)
      try await withDependencies {
        $0.a = "fake"
      } operation: {
        try await withResources(B.self) { #expect(DependencyScope.current.b == "fake") }
      }
      try await withResources(B.self) { #expect(DependencyScope.current.a == "B1") }
      #expect(world.events("open") == ["open B"])
    }
  }

  @Test("a resource that a test doesn't override reads its test value, and is reported")
  func testScope() async throws {
    let issues = try await issues {
      try await withTestDependencies {
        $0.world = World()
      } operation: {
        try await withResources(A.self) {
          #expect(DependencyScope.current.a == "test A")
          #expect(DependencyScope.current.world.events == [])
        }
      }
    }
    #expect(
      issues.map(\.problem) == [
        """
        This test would open `Resource<NameA>`, because nothing overrides it in the test's scope. The \
        test reads its `testValue` instead.
        """
      ])
    #expect(issues.first?.fileID == #fileID)
  }

  private struct Client {
    let send: @Sendable (String) async throws -> Void
  }

  private enum ClientKey: ResourceKey {
    static var defaultValue: Client { Client { _ in } }
    static var testValue: Client { Client(send: unimplemented("Client.send")) }
    static func open(_ needs: ResourceOpening) async throws -> Client { defaultValue }
    static func close(_ client: Client) async {}
  }

  @Test("an unimplemented test value stands in for a resource, and an override for that")
  func unimplementedInTest() async throws {
    let issues = try await issues {
      try await withTestDependencies {
        try await withResources(ClientKey.self) {
          let failures = await collectFailures {
            await #expect(throws: UnimplementedError.self) {
              try await DependencyScope.current[ClientKey.self].send("hello")
            }
          }
          #expect(failures.count == 1)
        }
      }
    }
    #expect(issues.count == 1)
    try await withTestDependencies {
      $0[ClientKey.self] = Client { _ in }
    } operation: {
      try await withResources(ClientKey.self) {
        try await DependencyScope.current[ClientKey.self].send("hello")
      }
    }
  }

  @Test("a test opens resources with opensResourcesInTests")
  func openedInTest() async throws {
    let world = World()
    try await withTestDependencies {
      $0.world = world
      $0.opensResourcesInTests = true
    } operation: {
      try await withResources(A.self) { #expect(DependencyScope.current.a == "A1") }
    }
    #expect(world.unbalanced == [])
  }
}
