import ComposableDependencies
import Dispatch
import GlobalEnvironment
import TestSupport

extension Runner {
  /// Runs a step that doesn't suspend.
  func run(_ step: Step, _ used: [RunValue], _ state: inout RunState) throws(Thrown) {
    switch step.operation {
    case .with:
      try withDependencies(
        { for change in step.changes { set(change, &$0, step.variant) } },
        fileID: "Program", line: UInt(step.id)
      ) { () throws(Thrown) in
        try run(step.blocks[0], &state)
      }
    case .run:
      try used[0].scope!.run { () throws(Thrown) in try run(step.blocks[0], &state) }
    case .carry:
      try carry(step, used).run { () throws(Thrown) in try run(step.blocks[0], &state) }
    case .runEnvironment:
      try (used[0].environment as! any ComposableTestEnvironment).scope
        .run { () throws(Thrown) in try run(step.blocks[0], &state) }
    case .throwError:
      throw Thrown()
    case .catching:
      do { try run(step.blocks[0], &state) } catch { try run(step.blocks[1], &state) }
    case .call:
      guard case .closure(let closure, let isThrowing) = used[0] else { return }
      let outcome = closure(callee(step, state))
      state.join(outcome)
      if outcome.hasThrown, isThrowing { throw Thrown() }
    case .queueSync:
      let outcome = DispatchQueue(label: "sync").sync { runCall(step.blocks[0], state.child) }
      state.join(outcome)
      if outcome.hasThrown { throw Thrown() }
    case .setGlobally, .setRacing:
      DependencyScope.current.setGlobally {
        for change in step.changes { set(change, &$0, step.variant) }
      }
    case .setThroughGlobal:
      for change in step.changes { setThroughEnvironment(change, step.variant) }
    case .alias:
      let issues = issues { alias(step) }
      state.observe(issues.count, step, 0)
    case .clearAliases: Dependencies.clearGlobalAliases()
    case .reset: Dependencies.resetGlobalValues()
    case .task, .immediateTask, .detachedTask, .detachedTaskIn, .immediateDetachedTaskIn:
      let task = start(step, used, state.child)
      state.tasks.append(task)
      state.define(step.defines, .task(task))
    case .readShared:
      for (index, key) in step.keys.enumerated() {
        let found = SharedKeys.all[key](used.first?.scope ?? .current, step.variant + index)
        state.observe(found.value, step, index)
        state.observe(found.instance, step, ReadID.instance(index))
      }
    case .read, .readThroughGlobal, .readComputed, .readScope, .readDeclared, .readEnvironment:
      read(step, used, &state)
    default:
      state.define(step.defines, value(step, used, state))
    }
  }

  /// The start of a called closure, with the variables that it captured.
  func callee(_ step: Step, _ state: RunState) -> RunState {
    RunState(path: state.path(calling: step))
  }

  private func setThroughEnvironment(_ change: Change, _ variant: Int) {
    switch path(change.key, variant) {
    case .number(let keyPath):
      if variant & 2 == 0 {
        Settings().with(keyPath, change.value)
      } else {
        Settings()[keyPath] = change.value
      }
    case .object(let keyPath):
      Settings().with(keyPath, Token(change.value, countedBy: tally))
    }
  }

  private func alias(_ step: Step) {
    switch (path(step.keys[0], step.variant), path(step.keys[1], step.variant >> 1)) {
    case (.number(let key), .number(let target)): alias(key, to: target, step.variant)
    case (.object(let key), .object(let target)): alias(key, to: target, step.variant)
    default: break
    }
  }

  private func alias<Value>(
    _ key: any WritableKeyPath<Dependencies, Value> & Sendable,
    to target: any WritableKeyPath<Dependencies, Value> & Sendable,
    _ variant: Int
  ) {
    if variant & 4 == 0 {
      DependencyScope.current.alias(key, to: target, fileID: #fileID, line: #line)
    } else {
      Settings().aliasing(key, to: target)
    }
  }

  private func start(
    _ step: Step, _ used: [RunValue], _ start: RunState
  ) -> Task<Outcome, Never> {
    let body = step.blocks[0]
    switch step.operation {
    case .detachedTask:
      return Task.detached { await runTask(body, start) }
    case .detachedTaskIn:
      return Task.detached(in: used[0].scope!) { await runTask(body, start) }
    case .immediateTask:
      if #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) {
        return Task.immediate { await runTask(body, start) }
      }
    case .immediateDetachedTaskIn:
      let scope = used[0].scope!
      if #available(macOS 26, iOS 26, watchOS 26, tvOS 26, visionOS 26, *) {
        return Task.immediateDetached { await scope.run { await runTask(body, start) } }
      }
      return Task.detached { await scope.run { await runTask(body, start) } }
    default:
      break
    }
    return Task { await runTask(body, start) }
  }
}
