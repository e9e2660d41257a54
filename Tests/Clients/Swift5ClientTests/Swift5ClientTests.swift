import ComposableReducers
import ComposableTesting
import Testing

@Suite("A module in Swift 5 mode, with complete checking", .isolatedDependencies)
struct Swift5ClientTests {
  @Test("reads what it overrides, in scopes, environments and stores")
  func client() async throws {
    let feature = Feature().with(\.limit, 4)
    #expect(feature.limit == 4 && feature.tuned.limit == 5)
    #expect(await feature.scope.run { await Task { DependencyScope.current.limit }.value } == 4)
    let store = Store(
      initialState: ListState(), reducer: listWithNamedEnvironments, environment: feature)
    await store.send(.row(1, .load)).finish()
    await store.send(.count("one", .load)).finish()
    #expect(await store.state.rows[id: 1]?.count == 4)
    #expect(await store.state.counts == ["one": 5])
  }

  @Test("carries a scope into closures of any isolation")
  func bindings() async throws {
    let scope = DependencyScope.root.with(\.limit, 4)
    let nothing: @Sendable () -> Void = scope.bind {}
    let add: @Sendable (Int) -> Int = scope.bind { DependencyScope.current.limit + $0 }
    let check: @Sendable () throws -> Void = scope.bind { try Task.checkCancellation() }
    let read: @Sendable () throws -> Int = scope.bind {
      try Task.checkCancellation()
      return DependencyScope.current.limit
    }
    let load = { @Sendable in try await scope.run { () async throws in try read() } }
    let total = try await Task.detached {
      nothing()
      try check()
      return try await add(1) + read() + load()
    }.value
    #expect(total == 13)
  }
}
