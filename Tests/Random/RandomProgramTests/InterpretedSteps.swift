import TestSupport

extension Interpreter {
  func run(_ steps: [Step], _ at: inout Position) throws(Thrown) {
    for step in steps { try run(step, &at) }
  }

  /// Runs a block in a scope, and continues in the old scope.
  private func run(
    _ steps: [Step], in scope: ModelScope, _ at: inout Position
  ) throws(Thrown) {
    let outside = at.scope
    at.scope = scope
    defer { at.scope = outside }
    try run(steps, &at)
  }

  /// Runs a block that is a task of its own.
  ///
  /// It runs immediately, which is one of the possible orders.
  private func runTask(
    _ steps: [Step], in scope: ModelScope, _ at: Position
  ) -> (end: Position, hasThrown: Bool) {
    var child = at.child(in: scope)
    do {
      try run(steps, &child)
      return (child, false)
    } catch {
      return (child, true)
    }
  }

  private func run(_ step: Step, _ at: inout Position) throws(Thrown) {
    var used: [ModelValue] = []
    for variable in step.uses {
      guard let value = at.variables[variable] else { return }
      used.append(value)
    }
    coverage.count(step.operation.rawValue)
    switch step.operation {
    case .readShared:
      readShared(step, in: used.first?.scope ?? at.scope, &at)
    case .read, .readComputed, .readScope, .readDeclared, .readEnvironment, .stream:
      read(step, used, &at)
    case .capture, .derive, .isolated, .declare, .bind, .makeEnvironment, .overrideEnvironment,
      .setInEnvironment, .derivedEnvironment, .overrideDerived, .assignDerived,
      .storeInEnvironment:
      at.define(step.defines, value(step, used, &at))
    case .setGlobally, .setRacing:
      setGlobally(step.changes, &at)
    case .setThroughGlobal:
      // One at a time, and others may read in between.
      for change in step.changes { setGlobally([change], &at) }
    case .alias:
      let isCycle = alias(step.keys[0], to: step.keys[1], in: at.scope.store, &at)
      expect([isCycle ? 1 : 0], step, 0, at)
    case .clearAliases: record(.clearAliases, in: at.scope.store, &at)
    case .reset: record(.reset, in: at.scope.store, &at)
    case .yield: break
    default: try runBlocks(step, used, &at)
    }
  }

  private func runBlocks(
    _ step: Step, _ used: [ModelValue], _ at: inout Position
  ) throws(Thrown) {
    switch step.operation {
    case .with, .withAsync:
      let scope = overriding(at.scope, step.changes, place: .step(step.id), &at)
      try run(step.blocks[0], in: scope, &at)
    case .run, .runAsync:
      try run(step.blocks[0], in: used[0].scope!, &at)
    case .carry:
      let receiver = used.first?.scope ?? at.scope
      let scope = overriding(receiver, carried(step.keys, &at), &at)
      try run(step.blocks[0], in: scope, &at)
    case .runEnvironment:
      try run(step.blocks[0], in: scope(of: used[0].environment!, &at), &at)
    case .throwError:
      throw Thrown()
    case .catching, .catchingAsync:
      do { try run(step.blocks[0], in: at.scope, &at) } catch {
        try run(step.blocks[1], in: at.scope, &at)
      }
    case .queueAsync:
      at.join(runTask(step.blocks[0], in: .root, at).end)
    case .call, .callOnQueue:
      try call(step, used[0].closure!, &at)
    case .asyncLet:
      let child = runTask(step.blocks[0], in: at.scope, at)
      do { try run(step.blocks[1], in: at.scope, &at) } catch {
        at.join(child.end)
        throw error
      }
      at.join(child.end)
      if child.hasThrown, step.variant == 1 { throw Thrown() }
    case .group:
      let scope = overriding(at.scope, step.changes, place: .step(step.id), &at)
      let children = step.blocks.map { runTask($0, in: scope, at) }
      for child in children { at.join(child.end) }
      if step.variant == 1, children.contains(where: \.hasThrown) { throw Thrown() }
    case .task:
      at.define(step.defines, .task(runTask(step.blocks[0], in: at.scope, at).end))
    case .detachedTask:
      at.define(step.defines, .task(runTask(step.blocks[0], in: .root, at).end))
    case .detachedTaskIn:
      at.define(step.defines, .task(runTask(step.blocks[0], in: used[0].scope!, at).end))
    case .join:
      at.join(used[0].task!)
    default:
      preconditionFailure("\(step.operation) is run elsewhere")
    }
  }

  /// The changes that get through a carrier, for keys in the current scope.
  private func carried(_ keys: [Int], _ at: inout Position) -> [Change] {
    keys.compactMap { key in
      let values = read(key, in: at.scope, &at)
      if values.count > 1 { objection = "what is carried is not known" }
      return KeyKind(key).travels(values.first!) ? Change(key: key, value: values.first!) : nil
    }
  }

  private func call(_ step: Step, _ closure: ModelClosure, _ at: inout Position) throws(Thrown) {
    var inside = at
    inside.variables = closure.variables
    inside.path = ReadID.path(at.path, calling: step)
    let result = runTask(closure.body, in: closure.scope, inside)
    at.join(result.end)
    if result.hasThrown, closure.isThrowing, step.operation != .callOnQueue { throw Thrown() }
  }
}

extension ModelValue {
  var scope: ModelScope? { if case .scope(let scope) = self { scope } else { nil } }
  var closure: ModelClosure? { if case .closure(let closure) = self { closure } else { nil } }
  var task: Position? { if case .task(let end) = self { end } else { nil } }

  var environment: ModelEnvironment? {
    if case .environment(let environment) = self { environment } else { nil }
  }
}

extension Interpreter {
  /// Records the reads of a step.
  func read(_ step: Step, _ used: [ModelValue], _ at: inout Position) {
    switch (step.operation, used.first) {
    case (.readComputed, _):
      expect(readBlend(in: at.scope, &at), step, 0, at)
    case (.readDeclared, .declared(let key, let scope)):
      expect(read(key, in: scope, &at), step, 0, at)
    case (.readEnvironment, .environment(let environment)):
      read(step, derived(step.slots, of: environment, &at), &at)
    case (.stream, let scope):
      // The sequence has two elements.
      for (index, key) in (step.keys + step.keys).enumerated() {
        expect(read(key, in: scope?.scope ?? at.scope, &at), step, index, at)
      }
    case (_, let scope):
      for (index, key) in step.keys.enumerated() {
        expectRecorded(key, in: scope?.scope ?? at.scope, step, index, &at)
      }
    }
  }

  /// Returns the value of the variable that a step defines.
  func value(_ step: Step, _ used: [ModelValue], _ at: inout Position) -> ModelValue {
    switch step.operation {
    case .capture: .scope(at.scope)
    case .derive:
      .scope(overriding(used[0].scope!, step.changes, place: .step(step.id), &at))
    case .isolated: .scope(ModelScope(store: makeStore(usesTestValues: step.variant == 1)))
    case .declare: .declared(key: step.keys[0], at.scope)
    case .bind:
      .closure(
        ModelClosure(
          body: step.blocks[0], scope: used.first?.scope ?? at.scope, variables: at.variables,
          isThrowing: step.variant == 1))
    case .makeEnvironment: .environment(make(EnvironmentType(rawValue: step.variant)!, &at))
    default: .environment(environment(step, used.map { $0.environment! }, &at))
    }
  }

  private func environment(
    _ step: Step, _ used: [ModelEnvironment], _ at: inout Position
  ) -> ModelEnvironment {
    var environment = used[0]
    switch step.operation {
    case .overrideEnvironment, .setInEnvironment:
      return setting(step.changes, on: environment, &at)
    case .derivedEnvironment:
      return derived(step.slots, of: environment, &at)
    case .overrideDerived:
      return replacing(step.slots[...], of: environment, &at) { child, at in
        setting(step.changes, on: child, &at)
      }
    case .assignDerived:
      environment.given[step.slots[0]] = used[1]
      return environment
    case .storeInEnvironment:
      environment.stored = step.variant
      return environment
    default:
      preconditionFailure("\(step.operation) makes no environment")
    }
  }
}
