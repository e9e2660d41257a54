import ComposableDependencies
import ComposableResources
import TestSupport
import Testing

@Suite("Rule 33: after the end")
struct AfterTheEndTests {
  private struct Feature {
    @Dependency(\.a) var a
  }

  @Test("reading a closed resource reports its key and the place of the withResources")
  func read() async throws {
    try await withWorld { _ in
      let line: UInt = #line + 1
      let (scope, feature) = try await withResources(A.self) {
        (DependencyScope.current, Feature())
      }
      let issues = issues {
        #expect(scope.a == "A1")
        #expect(feature.a == "A1")
        scope.run { #expect(DependencyScope.current[A.self] == "A1") }
      }
      #expect(issues.count == 3)
      #expect(Set(issues).count == 1)
      #expect(issues.first?.fileID == #fileID)
      #expect(issues.first?.line == line)
      #expect(
        issues.first?.problem == """
          `Resource<NameA>` was read after its lifetime ended: this `withResources` has closed it.
          """)
    }
  }

  @Test("a closed resource is reported below many overrides, and through an alias")
  func below() async throws {
    try await withWorld { _ in
      let members = ManyKeys.first(40)
      let scope = try await withResources(A.self) {
        members.reduce(DependencyScope.current) { $0.with($1, 1) }
      }
      #expect(issues { _ = scope.a }.count == 1)
      DependencyScope.current.alias(\.b, to: \.a, fileID: #fileID, line: #line)
      #expect(issues { _ = scope.b }.count == 1)
    }
  }

  @Test("a task that outlives the operation can't open anything there")
  func open() async throws {
    try await withWorld { world in
      let line: UInt = #line + 1
      let scope = try await withResources(A.self) { DependencyScope.current }
      for _ in 1...2 {
        let error = await #expect(throws: ResourceError.self) { try await scope.open(B.self) }
        #expect(
          error?.description == """
            `Resource<NameB>` can't be opened, because the operation of `withResources` at \
            \(#fileID):\(line) has ended.
              Instead: wait in that operation for the tasks that need it, or list \
            `Resource<NameB>.self` in a longer lifetime.
            """)
      }
      await #expect(throws: ResourceError.self) { try await scope.open(A.self) }
      #expect(world.events("open") == ["open A"])
    }
  }

  @Test("reading a resource while its lifetime closes isn't reported")
  func closing() async throws {
    try await withWorld { world in
      let issues = try await issues {
        try await withResources(A.self) {
          let scope = DependencyScope.current
          world["B"].close = { world.record("read \(scope.a)") }
          _ = try await scope.open(B.self)
        }
      }
      #expect(issues == [])
      #expect(world.events("read") == ["read A1"])
    }
  }
}
