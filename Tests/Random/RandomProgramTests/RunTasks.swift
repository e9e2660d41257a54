import ComposableDependencies
import Dispatch
import Synchronization
import TestSupport

extension Runner {
  /// Runs a step that suspends.
  func runAsync(_ step: Step, _ used: [RunValue], _ state: inout RunState) async throws(Thrown) {
    switch step.operation {
    case .withAsync:
      try await withDependencies(changes(of: step), fileID: "Program", line: UInt(step.id)) {
        () async throws(Thrown) in
        try await runAsync(step.blocks[0], &state)
      }
    case .runAsync:
      try await used[0].scope!.run { () async throws(Thrown) in
        try await runAsync(step.blocks[0], &state)
      }
    case .catchingAsync:
      do { try await runAsync(step.blocks[0], &state) } catch {
        try await runAsync(step.blocks[1], &state)
      }
    case .yield:
      await Task.yield()
    case .asyncLet:
      try await runBeside(step, &state)
    case .group:
      try await runGroup(step, &state)
    case .join:
      guard case .task(let task) = used[0] else { return }
      state.adoptVariables(of: await task.value)
    case .stream:
      await consume(step, used.first?.scope, &state)
    case .callOnQueue:
      guard case .closure(let closure, _) = used[0] else { return }
      let path = state.path(calling: step)
      state.join(await onQueue { closure(path) })
    case .queueAsync:
      let start = state.child
      state.join(await onQueue { runCall(step.blocks[0], start) })
    default:
      preconditionFailure("\(step.operation) doesn't suspend")
    }
  }

  private func onQueue(_ body: @escaping @Sendable () -> Outcome) async -> Outcome {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }

  private func runBeside(_ step: Step, _ state: inout RunState) async throws(Thrown) {
    let start = state.child
    async let child = runTask(step.blocks[0], start)
    do { try await runAsync(step.blocks[1], &state) } catch {
      state.join(await child)
      throw error
    }
    let outcome = await child
    state.join(outcome)
    if outcome.hasThrown, step.variant == 1 { throw Thrown() }
  }

  private func consume(
    _ step: Step, _ scope: DependencyScope?, _ state: inout RunState
  ) async {
    let elements = AsyncStream {
      $0.yield(0)
      $0.yield(1)
      $0.finish()
    }
    let values = elements.map { element in
      step.keys.map { DependencyScope.current[path($0, element)] }
    }
    var all: [Int] = []
    if let scope {
      for await values in values.scoped(to: scope) { all += values }
    } else {
      for await values in values { all += values }
    }
    for (index, value) in all.enumerated() { state.observe(value, step, index) }
  }
}

extension Runner {
  private func runGroup(_ step: Step, _ state: inout RunState) async throws(Thrown) {
    let start = state.child
    let outcomes = await withTaskGroup { group in
      inScope(of: step) {
        for body in step.blocks { group.addTask { await runTask(body, start) } }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for outcome in outcomes { state.join(outcome) }
    if step.variant == 1, outcomes.contains(where: \.hasThrown) { throw Thrown() }
  }

  /// Creates the tasks of a group in a scope that its body enters.
  private func inScope(of step: Step, _ addTasks: () -> Void) {
    if step.changes.isEmpty { return addTasks() }
    withDependencies(
      changes(of: step), fileID: "Program", line: UInt(step.id), operation: addTasks)
  }
}

extension Runner {
  /// Makes a closure that runs a block in a scope.
  func bind(_ step: Step, _ scope: DependencyScope, _ state: RunState) -> RunValue {
    let (body, variables) = (step.blocks[0], state.variables)
    let run = { @Sendable (path: UInt64) in
      runCall(body, RunState(variables: variables, path: path))
    }
    if step.variant == 0 {
      return .closure(scope.bind { (path: UInt64) -> Outcome in run(path) }, isThrowing: false)
    }
    let bound = scope.bind { (path: UInt64) throws -> Outcome in
      let outcome = run(path)
      if outcome.hasThrown { throw ThrownOutcome(outcome: outcome) }
      return outcome
    }
    return .closure(
      { path in do { return try bound(path) } catch { return (error as! ThrownOutcome).outcome } },
      isThrowing: true)
  }
}
