import ComposableDependencies
import ComposableResources
import TestSupport
import Testing

@Suite("Rule 32: cycles")
struct CycleTests {
  /// Returns the names in the error that an operation throws.
  private func cycle(
    _ operation: @Sendable () async throws -> Void
  ) async -> [String] {
    do {
      try await operation()
    } catch ResourceError.cycle(let keys) {
      return keys.map { String("\($0)".dropLast().last!) }
    } catch {
      Issue.record("\(error)")
    }
    return []
  }

  /// Whether a path is a cycle of resources, of which any may be the first: the last one to wait.
  private func isCycle(_ path: [String], _ names: String...) -> Bool {
    path.count == names.count + 1 && path.first == path.last
      && (names + names).contains(path.dropLast())
  }

  @Test("resources that need each other throw an error that names the path")
  func chain() async {
    await withWorld { world in
      world["A"].open = { _ = try await $0(B.self) }
      world["B"].open = { _ = try await $0(C.self) }
      world["C"].open = { _ = try await $0(A.self) }
      let path = await cycle { try await withResources(A.self) {} }
      #expect(isCycle(path, "A", "B", "C"))
      #expect(world.unbalanced == [])
    }
  }

  @Test("a resource that opens itself on demand throws")
  func onDemand() async {
    await withWorld { world in
      world["A"].open = { _ in _ = try await DependencyScope.current.open(B.self) }
      world["B"].open = { _ in _ = try await DependencyScope.current.open(A.self) }
      let path = await cycle {
        try await withResources { _ = try await DependencyScope.current.open(A.self) }
      }
      #expect(isCycle(path, "A", "B"))
    }
  }

  @Test("a lifetime inside an open that needs the opening resource throws")
  func nested() async {
    await withWorld { world in
      world["A"].open = { _ in try await withResources(B.self) {} }
      world["B"].open = { _ = try await $0(A.self) }
      #expect(await cycle { try await withResources(A.self) {} } == ["A", "A"])
      #expect(world.unbalanced == [])
    }
  }

  @Test("the error says what to write instead")
  func description() {
    #expect(
      ResourceError.cycle([A.self, B.self, A.self]).description == """
        These resources wait for each other: Resource<NameA> → Resource<NameB> → Resource<NameA>.
          Instead: move what they share into a resource of its own that needs none of them.
        """)
  }
}
