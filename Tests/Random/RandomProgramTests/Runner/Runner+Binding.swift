import ComposableDependencies

extension Runner {
  /// Makes a closure of one of many types, which runs a block in a scope.
  func bind(_ step: Step, _ scope: DependencyScope, _ state: RunState) -> RunValue {
    let body = step.blocks[0]
    let variables = state.variables
    let isThrowing = step.variant == 1
    let begin = { @Sendable (path: UInt64) in RunState(variables: variables, path: path) }
    switch step.operation {
    case .bindAsync where isThrowing:
      let bound = { @Sendable (path: UInt64) async throws -> Outcome in
        try await scope.run {
          let outcome = await runTask(body, begin(path))
          if outcome.hasThrown { throw ThrownOutcome(outcome: outcome) }
          return outcome
        }
      }
      return .asyncClosure(
        { caller in
          do { return try await bound(caller.path) } catch { return outcome(of: error) }
        }, isThrowing: true)
    case .bindAsync:
      let bound = { @Sendable (path: UInt64) async -> Outcome in
        await scope.run { await runTask(body, begin(path)) }
      }
      return .asyncClosure({ await bound($0.path) }, isThrowing: false)
    case .bindOnMain where isThrowing:
      let bound = { @MainActor (path: UInt64) throws -> Outcome in
        try scope.run {
          let outcome = runCall(body, begin(path))
          if outcome.hasThrown { throw ThrownOutcome(outcome: outcome) }
          return outcome
        }
      }
      return .mainClosure(
        { caller in
          do { return try bound(caller.path) } catch { return outcome(of: error) }
        }, isThrowing: true)
    case .bindOnMain:
      let bound = { @MainActor (path: UInt64) -> Outcome in
        scope.run { runCall(body, begin(path)) }
      }
      return .mainClosure({ bound($0.path) }, isThrowing: false)
    case _ where isThrowing:
      let bound = scope.bind { (path: UInt64) throws -> Outcome in
        let outcome = runCall(body, begin(path))
        if outcome.hasThrown { throw ThrownOutcome(outcome: outcome) }
        return outcome
      }
      return .closure(
        { caller in
          do { return try bound(caller.path) } catch { return outcome(of: error) }
        }, isThrowing: true)
    default:
      let bound = scope.bind { (path: UInt64) -> Outcome in runCall(body, begin(path)) }
      return .closure({ bound($0.path) }, isThrowing: false)
    }
  }
}

private func outcome(of error: any Error) -> Outcome {
  (error as! ThrownOutcome).outcome
}
