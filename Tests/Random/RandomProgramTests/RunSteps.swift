import ComposableDependencies
import ComposableEnvironment
import GlobalEnvironment
import TestSupport

extension Runner {
  /// Runs a step that doesn't suspend.
  func run(_ step: Step, _ used: [RunValue], _ state: inout RunState) throws(Thrown) {
    switch step.operation {
    case .with:
      try withDependencies(changes(of: step), fileID: "Program", line: UInt(step.id)) {
        () throws(Thrown) in
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
      let outcome = closure(state.path(calling: step))
      state.join(outcome)
      if outcome.hasThrown, isThrowing { throw Thrown() }
    case .setGlobally, .setRacing:
      DependencyScope.current.setGlobally(changes(of: step))
    case .setThroughGlobal:
      for change in step.changes { setThroughEnvironment(change, step.variant) }
    case .alias:
      let issues = issues { alias(step) }
      state.observe(issues.count, step, 0)
    case .clearAliases: Dependencies.clearGlobalAliases()
    case .reset: Dependencies.resetGlobalValues()
    case .task, .detachedTask, .detachedTaskIn:
      let task = start(step, used, state.child)
      state.tasks.append(task)
      state.define(step.defines, .task(task))
    case .readShared:
      for (index, key) in step.keys.enumerated() {
        let found = SharedKeys.all[key](used.first?.scope ?? .current, step.variant + index)
        state.observe(found.value, step, index)
        state.observe(found.instance, step, ReadID.instance(index))
      }
    case .read, .readComputed, .readScope, .readDeclared, .readEnvironment:
      read(step, used, &state)
    default:
      state.define(step.defines, value(step, used, state))
    }
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
      Settings().with(keyPath, Token(change.value, countedBy: tokens))
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
    default:
      return Task { await runTask(body, start) }
    }
  }
}

extension Runner {
  func read(_ step: Step, _ used: [RunValue], _ state: inout RunState) {
    switch (step.operation, used.first) {
    case (.readComputed, _):
      state.observe(DependencyScope.current.blend, step, 0)
    case (.readDeclared, .declared(let declared)):
      state.observe(declared(), step, 0)
    case (.readEnvironment, .environment(let environment)):
      read(step, environment.derived(step.slots), &state)
    case (_, let used):
      let scope = used?.scope ?? .current
      for (index, key) in step.keys.enumerated() {
        readRecorded(key, in: scope, step, index, &state) { read(key, in: scope, step.variant) }
      }
    }
  }

  /// Reads a key in one of many ways.
  private func read(_ key: Int, in scope: DependencyScope, _ variant: Int) -> Int {
    let path = path(key, variant)
    switch variant >> 1 {
    case 1:
      return scope.run { path.declare()() }
    case 2:
      return scope.run { Key.all[key].declareByType()() }
    case 3:
      var value = 0
      _ = scope.with { value = $0[Key.all[key]] }
      return value
    case 4:
      return switch path {
      case .number(let keyPath): scope[dynamicMember: keyPath]
      case .object(let keyPath): scope[dynamicMember: keyPath].number
      }
    case 5:
      return Key.all[key].readByType(scope)
    default:
      return scope[path]
    }
  }

  private func read(_ step: Step, _ environment: any TestEnvironment, _ state: inout RunState) {
    for (index, value) in environment.declared.enumerated() { state.observe(value, step, index) }
    for (index, key) in step.keys.enumerated() {
      let path = path(key, step.variant)
      let value = environment.value(path, byMember: step.variant & 2 == 0)
      state.observe(value, step, 100 + index)
    }
    if let environment = environment as? any ComposableTestEnvironment {
      state.observe(environment.stored, step, -1)
    }
  }

  /// Returns the scope on the other side of a carrier.
  func carry(_ step: Step, _ used: [RunValue]) -> DependencyScope {
    let carrier = Carrier(rawValue: step.variant % Carrier.allCases.count)!
    return step.keys.reduce(used.first?.scope ?? .current) { scope, key in
      Key.all[key].carry?(carrier, .current, scope) ?? scope
    }
  }

  /// Returns the value of the variable that a step defines.
  func value(_ step: Step, _ used: [RunValue], _ state: RunState) -> RunValue {
    switch step.operation {
    case .capture:
      return .scope(.current)
    case .isolated:
      return .scope(isolated(usingTestValues: step.variant == 1))
    case .declare:
      let declaresByType = step.variant & 2 == 2
      let key = step.keys[0]
      return .declared(
        declaresByType ? Key.all[key].declareByType() : path(key, step.variant).declare())
    case .derive:
      return .scope(derive(step, used[0].scope!))
    case .bind:
      return bind(step, used.first?.scope ?? .current, state)
    case .makeEnvironment:
      return .environment(EnvironmentType(rawValue: step.variant)!.make())
    default:
      return .environment(environment(step, used.map { $0.environment! }))
    }
  }

  private func derive(_ step: Step, _ scope: DependencyScope) -> DependencyScope {
    if step.variant & 2 == 0 {
      return scope.with(
        changes(of: step), fileID: "Program", line: UInt(step.id))
    }
    return step.changes.reduce(scope) { scope, change in
      let path = path(change.key, step.variant)
      let value = (change.isIncrement ? scope[path] : 0) + change.value
      return switch path {
      case .number(let keyPath): scope.with(keyPath, value, fileID: "Program", line: UInt(step.id))
      case .object(let keyPath):
        scope.with(
          keyPath, Token(value, countedBy: tokens), fileID: "Program", line: UInt(step.id))
      }
    }
  }

  private func environment(
    _ step: Step, _ used: [any TestEnvironment]
  ) -> any TestEnvironment {
    var environment = used[0]
    switch step.operation {
    case .overrideEnvironment, .setInEnvironment:
      return setting(step, on: environment)
    case .derivedEnvironment:
      return environment.derived(step.slots)
    case .overrideDerived:
      environment.updateDerived(step.slots[...]) { setting(step, on: $0) }
      return environment
    case .assignDerived:
      environment.updateDerived(step.slots[...]) { _ in used[1] }
      return environment
    case .storeInEnvironment:
      var composable = environment as! any ComposableTestEnvironment
      composable.stored = step.variant
      return composable
    default:
      preconditionFailure("\(step.operation) makes no environment")
    }
  }

  private func setting(_ step: Step, on environment: any TestEnvironment) -> any TestEnvironment {
    let environment = environment as! any ComposableTestEnvironment
    if step.operation == .overrideEnvironment, step.variant & 2 == 2 {
      return environment.with(changes(of: step))
    }
    return step.changes.reduce(environment) { environment, change in
      environment.setting(
        path(change.key, step.variant), change.value, countedBy: tokens,
        inPlace: step.operation != .overrideEnvironment)
    }
  }
}
