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

  @Test("`open` returns a global value or the opened one, even if the former is reset meanwhile")
  func resetMeanwhile() async throws {
    try await withWorld { _ in
      let values = Shared<Set<String>>([])
      try await withResources {
        try await sideBySide(
          {
            for _ in 0..<20_000 {
              let value = try await DependencyScope.current.open(A.self)
              values.update { _ = $0.insert(value) }
            }
          },
          {
            for _ in 0..<20_000 {
              Dependencies.setGlobally { $0.a = "global" }
              Dependencies.resetGlobalValues()
            }
          })
      }
      #expect(values.value.isSubset(of: ["global", "A1"]))
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

  @Test("rule 12: aliased resources are one resource, whichever of them is opened")
  func aliasedResources() async throws {
    try await withWorld { world in
      DependencyScope.current.alias(\.b, to: \.a, fileID: #fileID, line: #line)
      world["C"].open = { needs in world.record("C has \(try await needs(A.self))") }
      try await withResources(B.self, C.self) {
        let values = try await (
          DependencyScope.current.open(A.self), DependencyScope.current.open(B.self)
        )
        #expect(values == ("B1", "B1"))
      }
      try await withResources {
        let scope = DependencyScope.current
        let values = try await (scope.open(A.self), scope.open(B.self))
        #expect(values == ("A1", "A1"))
      }
      try await withResources(B.self, A.self) {}
      #expect(
        world.events("opened", "C") == [
          "opened B1", "C has B1", "opened C1", "opened A1", "opened B2",
        ])
    }
  }

  @Test(
    "a resource that a test doesn't override reads its test value, and is reported",
    arguments: [true, false])
  func testScope(hasTrait: Bool) async throws {
    @Sendable func open() async throws {
      try await withResources(A.self) {
        #expect(DependencyScope.current.a == "test A")
        #expect(DependencyScope.current.world.events == [])
      }
    }
    let issues = try await issues {
      if hasTrait {
        try await withTestDependencies {
          $0.world = World()
        } operation: {
          try await open()
        }
      } else {
        try await withDependencies {
          $0.world = World()
        } operation: {
          try await open()
        }
      }
    }
    #expect(
      issues.map(\.problem) == [
        """
        This test would open `Resource<NameA>`, because nothing overrides it. The test reads its \
        `testValue` instead.
        """
      ])
    #expect(issues.first?.fileID == #fileID)
  }
}
