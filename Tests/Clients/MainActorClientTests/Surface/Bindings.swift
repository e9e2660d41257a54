import ComposableReducers

// Closures with and without arguments, results and errors. Each is bound.

nonisolated func useBindings(_ scope: DependencyScope) throws {
  let nothing: @Sendable () -> Void = scope.bind {}
  let value: @Sendable () -> Int = scope.bind { DependencyScope.current.limit }
  let sum: @Sendable (Int, Int) -> Int = scope.bind { $0 + $1 }
  let check: @Sendable () throws -> Void = scope.bind { _ = try positive(1) }
  let throwing: @Sendable (Int) throws -> Int = scope.bind { number throws in
    try positive(number)
  }
  nothing()
  try check()
  _ = try value() + sum(1, 2) + throwing(1)
}

@MainActor
func useMainActorClosures(_ scope: DependencyScope, _ screen: Screen) async throws {
  let rename: @MainActor (String) -> Void = { title in scope.run { screen.title = title } }
  let check: @MainActor (Int) async throws -> Void = { number in
    try await scope.run {
      await Task.yield()
      screen.title = "\(try positive(number))"
    }
  }
  rename("")
  try await check(1)
}

private nonisolated func positive(_ number: Int) throws -> Int {
  guard number > 0 else { throw ClientError.failed }
  return number
}
