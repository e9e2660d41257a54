import ComposableDependencies
import Dispatch
import Synchronization
import TestSupport

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

extension Runner {
  func runGroup(_ step: Step, _ state: inout RunState) async {
    let start = state.child
    let outcomes = Outcomes(step.blocks.count)
    let run = { @Sendable (index: Int) async in
      outcomes.put(await runTask(step.blocks[index], start), at: index)
    }
    if step.variant == 1 {
      await withDiscardingTaskGroup { group in
        inScope(of: step) {
          for index in step.blocks.indices { group.addTask { await run(index) } }
        }
      }
    } else {
      await withTaskGroup { group in
        inScope(of: step) {
          for index in step.blocks.indices { group.addTask { await run(index) } }
        }
      }
    }
    for outcome in outcomes.all { state.join(outcome) }
  }

  func runThrowingGroup(_ step: Step, _ state: inout RunState) async throws(Thrown) {
    let start = state.child
    let outcomes = Outcomes(step.blocks.count)
    let run = { @Sendable (index: Int) async throws in
      let outcome = await runTask(step.blocks[index], start)
      outcomes.put(outcome, at: index)
      if outcome.hasThrown { throw Thrown() }
    }
    defer { for outcome in outcomes.all { state.join(outcome) } }
    do {
      if step.variant == 1 {
        try await withThrowingDiscardingTaskGroup { group in
          inScope(of: step) {
            for index in step.blocks.indices { group.addTask { try await run(index) } }
          }
        }
      } else {
        try await withThrowingTaskGroup { group in
          inScope(of: step) {
            for index in step.blocks.indices { group.addTask { try await run(index) } }
          }
          try await group.waitForAll()
        }
      }
    } catch {
      throw Thrown()
    }
  }

  /// Creates the tasks of a group in a scope that its body enters.
  private func inScope(of step: Step, _ addTasks: () -> Void) {
    if step.changes.isEmpty { return addTasks() }
    withDependencies(
      { for change in step.changes { set(change, &$0, step.variant) } },
      fileID: "Program", line: UInt(step.id), operation: addTasks)
  }
}

/// The ends of a group's children, in the order in which they were added.
private final class Outcomes: Sendable {
  private let outcomes: Mutex<[Outcome?]>

  init(_ count: Int) {
    outcomes = Mutex(Array(repeating: nil, count: count))
  }

  func put(_ outcome: Outcome, at index: Int) {
    outcomes.withLock { $0[index] = outcome }
  }

  var all: [Outcome] { outcomes.withLock { $0.compactMap { $0 } } }
}

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

extension Runner {
  /// Cancels a task from here, after it has run a block and sleeps, deep in its scopes.
  func runAndCancel(_ step: Step, _ state: inout RunState) async {
    let gate = Gate()
    let start = state.child
    let task = Task {
      var state = start
      do {
        try await withDependencies(
          { for change in step.changes { set(change, &$0, step.variant) } },
          fileID: "Program", line: UInt(step.id)
        ) {
          try await runAsync(step.blocks[0], &state)
          state.observations += await sleepUntilCancelled(step, gate, state.path)
          try Task.checkCancellation()
        }
      } catch {
        // If the block threw, the cancelling code waits for this.
        gate.open()
        await gate.wait()
      }
      let end = await runTask(step.blocks[1], state)
      return Outcome(state: end.state, hasThrown: false)
    }
    await gate.waitForArrivals()
    task.cancel()
    state.join(await task.value)
  }

  /// Returns the reads of the cancellation handler: from the scope in which it was called, and from
  /// the scope here.
  private func sleepUntilCancelled(
    _ step: Step, _ gate: Gate, _ path: UInt64
  ) async -> [(id: ReadID, value: Int)] {
    let handled = Handled(RunState(path: path))
    let here = DependencyScope.current
    await withTaskCancellationHandler {
      await gate.wait()
    } onCancel: {
      handled.state.withLock { state in
        for (index, key) in step.keys.enumerated() {
          state.observe(DependencyScope.current[Key.all[key]], step, index)
          state.observe(here[Key.all[key]], step, 100 + index)
        }
      }
      gate.open()
    }
    return handled.state.withLock { $0.observations }
  }
}

/// The reads of a cancellation handler.
private final class Handled: Sendable {
  let state: Mutex<RunState>

  init(_ state: RunState) { self.state = Mutex(state) }
}
