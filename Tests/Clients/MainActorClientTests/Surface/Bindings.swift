import ComposableReducers

// Functions of every arity and isolation, throwing and not. Each is bound.

nonisolated func useSynchronousBindings(_ scope: DependencyScope) throws {
  let none: @Sendable () -> Int = scope.bind { DependencyScope.current.limit }
  let throwing: @Sendable (Int) throws -> Int = scope.bind { number throws in
    try positive(number)
  }
  _ = try none() + throwing(1)
}

nonisolated func useAsynchronousBindings(_ scope: DependencyScope) async throws {
  let zero: @Sendable () async -> Int = scope.bind { await sum() }
  let one: @Sendable (Int) async -> Int = scope.bind { await sum($0) }
  let two: @Sendable (Int, Int) async -> Int = scope.bind { await sum($0, $1) }
  let three: @Sendable (Int, Int, Int) async -> Int = scope.bind { await sum($0, $1, $2) }
  let four: @Sendable (Int, Int, Int, Int) async -> Int = scope.bind { await sum($0, $1, $2, $3) }
  _ = await zero() + one(1) + two(1, 2) + three(1, 2, 3) + four(1, 2, 3, 4)
  let throwing0: @Sendable () async throws -> Int = scope.bind { try positive(await sum()) }
  let throwing1: @Sendable (Int) async throws -> Int = scope.bind { try positive(await sum($0)) }
  let throwing2: @Sendable (Int, Int) async throws -> Int = scope.bind {
    try positive(await sum($0, $1))
  }
  let throwing3: @Sendable (Int, Int, Int) async throws -> Int = scope.bind {
    try positive(await sum($0, $1, $2))
  }
  let throwing4: @Sendable (Int, Int, Int, Int) async throws -> Int = scope.bind {
    try positive(await sum($0, $1, $2, $3))
  }
  _ = try await throwing0() + throwing1(1) + throwing2(1, 2)
  _ = try await throwing3(1, 2, 3) + throwing4(1, 2, 3, 4)
}

@MainActor
func useMainActorBindings(_ scope: DependencyScope, _ screen: Screen) async throws {
  let rename: @MainActor (String) -> Void = scope.bind(on: MainActor.self) { screen.title = $0 }
  let check: @MainActor (Int) throws -> Void = scope.bind(on: MainActor.self) {
    screen.title = "\(try positive($0))"
  }
  rename("")
  try check(1)
  let zero: @MainActor () async -> Int = scope.bind(on: MainActor.self) { await sum() }
  let one: @MainActor (Int) async -> Int = scope.bind(on: MainActor.self) { await sum($0) }
  let two: @MainActor (Int, Int) async -> Int = scope.bind(on: MainActor.self) {
    await sum($0, $1)
  }
  let three: @MainActor (Int, Int, Int) async -> Int = scope.bind(on: MainActor.self) {
    await sum($0, $1, $2)
  }
  let four: @MainActor (Int, Int, Int, Int) async -> Int = scope.bind(on: MainActor.self) {
    await sum($0, $1, $2, $3)
  }
  _ = await zero() + one(1) + two(1, 2) + three(1, 2, 3) + four(1, 2, 3, 4)
  let throwing0: @MainActor () async throws -> Int = scope.bind(on: MainActor.self) {
    try positive(await sum())
  }
  let throwing1: @MainActor (Int) async throws -> Int = scope.bind(on: MainActor.self) {
    try positive(await sum($0))
  }
  let throwing2: @MainActor (Int, Int) async throws -> Int = scope.bind(on: MainActor.self) {
    try positive(await sum($0, $1))
  }
  let throwing3: @MainActor (Int, Int, Int) async throws -> Int = scope.bind(on: MainActor.self) {
    try positive(await sum($0, $1, $2))
  }
  let throwing4: @MainActor (Int, Int, Int, Int) async throws -> Int = scope.bind(
    on: MainActor.self
  ) {
    try positive(await sum($0, $1, $2, $3))
  }
  _ = try await throwing0() + throwing1(1) + throwing2(1, 2)
  _ = try await throwing3(1, 2, 3) + throwing4(1, 2, 3, 4)
}

private nonisolated func positive(_ number: Int) throws -> Int {
  guard number > 0 else { throw ClientError.failed }
  return number
}

private nonisolated func sum(_ numbers: Int...) async -> Int {
  await Task.yield()
  return numbers.reduce(DependencyScope.current.limit, +)
}
