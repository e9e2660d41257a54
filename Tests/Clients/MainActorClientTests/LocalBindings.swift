import ComposableReducers

// Closures that aren't sendable. Bound, they still aren't.

nonisolated func useLocalBindings(_ scope: DependencyScope) throws {
  var count = 0
  let add: (Int, Int) -> Void = { count += $0 * $1 }
  let check: (Int) throws -> Void = {
    count += $0
    if count < 0 { throw ClientError.failed }
  }
  let (boundAdd, boundCheck) = (scope.bind(add), scope.bind(check))
  boundAdd(1, 2)
  try boundCheck(1)
}

nonisolated(nonsending) func useLocalBindings(
  _ scope: DependencyScope,
  zero: nonisolated(nonsending) @escaping () async -> Void,
  one: nonisolated(nonsending) @escaping (Int) async -> Void,
  two: nonisolated(nonsending) @escaping (Int, Int) async -> Void,
  three: nonisolated(nonsending) @escaping (Int, Int, Int) async -> Void,
  four: nonisolated(nonsending) @escaping (Int, Int, Int, Int) async -> Void
) async {
  await scope.bind(zero)()
  await scope.bind(one)(1)
  await scope.bind(two)(1, 2)
  await scope.bind(three)(1, 2, 3)
  await scope.bind(four)(1, 2, 3, 4)
}

nonisolated(nonsending) func useThrowingLocalBindings(
  _ scope: DependencyScope,
  zero: nonisolated(nonsending) @escaping () async throws -> Void,
  one: nonisolated(nonsending) @escaping (Int) async throws -> Void,
  two: nonisolated(nonsending) @escaping (Int, Int) async throws -> Void,
  three: nonisolated(nonsending) @escaping (Int, Int, Int) async throws -> Void,
  four: nonisolated(nonsending) @escaping (Int, Int, Int, Int) async throws -> Void
) async throws {
  try await scope.bind(zero)()
  try await scope.bind(one)(1)
  try await scope.bind(two)(1, 2)
  try await scope.bind(three)(1, 2, 3)
  try await scope.bind(four)(1, 2, 3, 4)
}
