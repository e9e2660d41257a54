import ComposableReducers

enum ClientError: Error { case failed }

func useScopes() {
  let scope: DependencyScope = .root
    .with(\.limit, 1)
    .with { $0[LimitKey.self] += $0.limit }
  _ = DependencyScope.current[\.limit] + scope.isolatedLimit
  scope.run { _ = DependencyScope.current.isLimited }
  Dependencies.resetGlobalValues()
  Dependencies.clearGlobalAliases()
  _ = LimitKey.testValue + Client.testValue.limit
}

func useThrowingScopes(_ scope: DependencyScope) throws(ClientError) -> Int {
  try withDependencies {
    $0.limit = 4
  } operation: { () throws(ClientError) in
    try scope.run { () throws(ClientError) in throw .failed }
  }
}

func useAsynchronousScopes(_ scope: DependencyScope) async throws(ClientError) -> Int {
  await withDependencies {
    $0.limit = 4
  } operation: {
    await Task.yield()
  }
  return try await scope.run { () async throws(ClientError) in
    await Task.yield()
    throw .failed
  }
}

func useTasks(_ scope: DependencyScope) async throws {
  let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
  await Task.detached(in: scope) { continuation.finish() }.value
  try await Task.detached(name: "name", priority: .low, in: scope) {
    try Task.checkCancellation()
  }.value
  let mapped: ScopedAsyncSequence = numbers.map { $0 * DependencyScope.current.limit }
    .scoped(to: scope)
  for await number in mapped { _ = number }
  var iterator: ScopedAsyncSequence<AsyncStream<Int>>.Iterator = numbers.scoped(to: scope)
    .makeAsyncIterator()
  _ = await iterator.next()
  _ = await iterator.next(isolation: nil)
  _ = await iterator.next(isolation: #isolation)
}

func useIssues() {
  let previous: DependencyIssue.Handler = DependencyIssue.replaceHandler { issue in
    _ = (issue.problem, issue.remedy, issue.fileID, issue.line, issue.description)
  }
  DependencyIssue(problem: "none", remedy: "nothing", fileID: #fileID, line: #line).report()
  DependencyIssue.replaceHandler(previous)
}

extension DependencyScope {
  fileprivate var isolatedLimit: Int { Self.isolated().limit }
}

extension Client {
  fileprivate var limit: Int { DependencyScope.current.limit }
}
