import ComposableDependencies
import Dispatch

extension Runner {
  /// Runs a step that suspends.
  func runAsync(_ step: Step, _ used: [RunValue], _ state: inout RunState) async throws(Thrown) {
    switch step.operation {
    case .withAsync:
      try await withDependencies(
        { for change in step.changes { set(change, &$0, step.variant) } },
        fileID: "Program", line: UInt(step.id)
      ) { () async throws(Thrown) in
        try await runAsync(step.blocks[0], &state)
      }
    case .runAsync:
      try await used[0].scope!.run { () async throws(Thrown) in
        try await runAsync(step.blocks[0], &state)
      }
    case .carryAsync:
      try await carry(step, used).run { () async throws(Thrown) in
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
      await runGroup(step, &state)
    case .throwingGroup:
      try await runThrowingGroup(step, &state)
    case .join:
      guard case .task(let task) = used[0] else { return }
      state.adoptVariables(of: await task.value)
    case .cancel:
      await runAndCancel(step, &state)
    case .stream:
      await consume(step, used.first?.scope, &state)
    case .actorHop, .mainActorHop, .concurrentFunction:
      let outcome =
        switch step.operation {
        case .actorHop: await hopper.run(step.blocks[0], state.child, self)
        case .mainActorHop: await runOnMainActor(step.blocks[0], state.child)
        default: await runConcurrently(step.blocks[0], state.child)
        }
      state.join(outcome)
      if outcome.hasThrown { throw Thrown() }
    default:
      try await runCalls(step, used, &state)
    }
  }

  private func runCalls(
    _ step: Step, _ used: [RunValue], _ state: inout RunState
  ) async throws(Thrown) {
    let outcome: Outcome
    var passesErrorsOn = false
    switch (step.operation, used.first) {
    case (.callAsync, .asyncClosure(let closure, let isThrowing)):
      outcome = await closure(callee(step, state))
      passesErrorsOn = isThrowing
    case (.callOnMain, .mainClosure(let closure, let isThrowing)):
      outcome = await closure(callee(step, state))
      passesErrorsOn = isThrowing
    case (.callOnQueue, .closure(let closure, _)):
      let start = callee(step, state)
      outcome = await onQueue { closure(start) }
    case (.queueAsync, _):
      let start = state.child
      outcome = await onQueue { runCall(step.blocks[0], start) }
    case (.queueBound, _):
      let start = state.child
      outcome = await onQueue(
        DependencyScope.current.bind { runCall(step.blocks[0], start) })
    default:
      return
    }
    state.join(outcome)
    if outcome.hasThrown, passesErrorsOn { throw Thrown() }
  }

  private func onQueue(_ body: @escaping @Sendable () -> Outcome) async -> Outcome {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }

  @MainActor
  private func runOnMainActor(_ steps: [Step], _ start: RunState) async -> Outcome {
    await runTask(steps, start)
  }

  @concurrent
  private func runConcurrently(_ steps: [Step], _ start: RunState) async -> Outcome {
    await runTask(steps, start)
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
