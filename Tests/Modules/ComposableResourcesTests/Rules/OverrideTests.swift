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
}
