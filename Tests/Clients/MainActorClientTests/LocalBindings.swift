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
