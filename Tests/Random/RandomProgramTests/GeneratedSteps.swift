import TestSupport

extension Generator {
  /// Returns the next steps: a single one, or a task and the step that waits for it.
  mutating func next(_ context: inout Context) -> [Step] {
    let nests = context.depth < shape.deepest && random.chance(shape.nesting)
    let operation = pick(nests ? nesting(context) : leaves(context))
    return make(operation, &context)
  }

  private mutating func pick(_ choices: [(Operation, Int)]) -> Operation {
    var number = random.number(below: choices.reduce(0) { $0 + $1.1 })
    for (operation, weight) in choices {
      number -= weight
      if number < 0 { return operation }
    }
    return .read
  }

  private func leaves(_ context: Context) -> [(Operation, Int)] {
    var choices: [(Operation, Int)] = [
      (.read, 12), (.readComputed, 2), (.readShared, 4), (.capture, 4), (.isolated, 2),
      (.declare, 2), (.makeEnvironment, 4),
    ]
    if context.canSuspend { choices += [(.yield, 3), (.stream, 2)] }
    if context.depth > 0 { choices.append((.throwError, 2)) }
    if !context.scopes.isEmpty { choices += [(.readScope, 5), (.derive, 4)] }
    if !context.declared.isEmpty { choices.append((.readDeclared, 4)) }
    if !context.closures.isEmpty {
      choices.append((.call, 5))
      if context.canSuspend { choices.append((.callOnQueue, 3)) }
    }
    if context.canSuspend, !context.tasks.isEmpty { choices.append((.join, 5)) }
    if !context.environments.isEmpty {
      choices += [
        (.readEnvironment, 8), (.overrideEnvironment, 4), (.setInEnvironment, 3),
        (.derivedEnvironment, 4), (.overrideDerived, 4), (.assignDerived, 3),
        (.storeInEnvironment, 2),
      ]
    }
    if usesProcessStore || context.store != 0 {
      choices.append((.setRacing, 2))
      if !context.globalKeys.isEmpty { choices += [(.setGlobally, 5), (.setThroughGlobal, 2)] }
      if context.ownsStore {
        choices += [(.alias, 4), (.reset, 2)]
        if clearsAliases { choices.append((.clearAliases, 2)) }
      }
    }
    return choices
  }

  private func nesting(_ context: Context) -> [(Operation, Int)] {
    var choices: [(Operation, Int)] = [
      (.with, 8), (.catching, 4), (.bind, 5), (.task, 5), (.detachedTask, 1),
    ]
    if context.canSuspend {
      choices += [
        (.withAsync, 8), (.catchingAsync, 5), (.asyncLet, 5), (.group, 7), (.queueAsync, 2),
      ]
    }
    if !context.scopes.isEmpty {
      choices += [(.run, 4), (.detachedTaskIn, 3)]
      if context.canSuspend { choices.append((.runAsync, 4)) }
    }
    if context.ownsStore {
      // A carried value must be known.
      choices.append((.carry, 5))
    }
    if context.environments.contains(where: { $0.type != .settings }) {
      choices.append((.runEnvironment, 4))
    }
    return choices
  }
}

extension Generator {
  mutating func make(_ operation: Operation, _ context: inout Context) -> [Step] {
    var new = step(operation)
    switch operation {
    case .read:
      new.keys = keysToRead()
    case .stream:
      new.keys = keysToRead()
      if random.chance(50), let scope = random.pick(ifAny: context.scopes) {
        new.uses = [scope.variable]
      }
    case .readShared:
      new.keys = (0..<random.pick(1...3)).map { _ in random.number(below: SharedKeys.count) }
      if random.chance(60), let scope = random.pick(ifAny: context.scopes) {
        new.uses = [scope.variable]
      }
    case .readScope:
      new.keys = keysToRead()
      new.uses = [random.pick(context.scopes).variable]
    case .readDeclared:
      new.uses = [random.pick(context.declared)]
    case .capture:
      new.defines = makeVariable()
      context.scopes.append((new.defines!, context.store))
    case .derive:
      let scope = random.pick(context.scopes)
      new.uses = [scope.variable]
      new.changes = changes(context).map { Change(key: $0.key, value: $0.value) }
      new.defines = makeVariable()
      context.scopes.append((new.defines!, scope.store))
    case .isolated:
      new.variant = random.number(below: 2)
      new.defines = makeVariable()
      let store = makeStore()
      context.ownedStores.insert(store)
      context.scopes.append((new.defines!, store))
    case .declare:
      new.keys = [random.pick(pool.common)]
      new.defines = makeVariable()
      context.declared.append(new.defines!)
    case .call, .callOnQueue:
      new.uses = [random.pick(context.closures)]
    case .join:
      new.uses = [random.pick(context.tasks)]
    case .setGlobally, .setThroughGlobal:
      new.changes = changes(of: context.globalKeys)
    case .setRacing:
      new.changes = changes(of: pool.racing)
    case .alias:
      guard let alias = alias(among: pool.aliasedLate) else { return [read(context)] }
      return [alias]
    case .makeEnvironment, .readEnvironment, .overrideEnvironment, .setInEnvironment,
      .derivedEnvironment, .overrideDerived, .assignDerived, .storeInEnvironment:
      return [fillEnvironmentStep(&new, &context) ? new : read(context)]
    case .readComputed, .yield, .throwError, .reset, .clearAliases:
      break
    default:
      return makeNesting(operation, new, &context)
    }
    return [new]
  }

  /// - Returns: Whether there is an environment for such a step.
  private mutating func fillEnvironmentStep(_ new: inout Step, _ context: inout Context) -> Bool {
    if new.operation == .makeEnvironment {
      let types = EnvironmentType.allCases.filter {
        (!$0.declaresAlias || context.ownsStore) && ($0 != .aliasingTuned || !clearsAliases)
      }
      let type = random.pick(types)
      new.variant = type.rawValue
      new.defines = makeVariable()
      context.environments.append((new.defines!, type, context.store))
      return true
    }
    let environment = random.pick(context.environments)
    var type = environment.type
    new.uses = [environment.variable]
    switch new.operation {
    case .readEnvironment:
      new.slots = slots(from: type, count: 0...3, throughSettings: true).slots
      new.keys = keysToRead()
      return true
    case .overrideEnvironment, .setInEnvironment:
      // Recreating it registers its aliases again.
      if type.declaresAlias, !context.ownedStores.contains(environment.store) { return false }
      new.changes = changes(of: pool.ownable)
      if type == .settings { return false }
    case .derivedEnvironment:
      (new.slots, type) = slots(from: type, count: 1...3, throughSettings: true)
    case .overrideDerived:
      new.slots = slots(from: type, count: 1...3, throughSettings: false).slots
      new.changes = changes(of: pool.ownable)
    case .assignDerived:
      let choices = context.environments.flatMap { other in
        type.slots.indices.filter { type.slots[$0].type == other.type && other.type != .settings }
          .map { (slot: $0, other: other.variable) }
      }
      guard let choice = random.pick(ifAny: choices) else { return false }
      new.slots = [choice.slot]
      new.uses.append(choice.other)
    default:
      if type == .settings { return false }
    }
    new.defines = makeVariable()
    context.environments.append((new.defines!, type, environment.store))
    return true
  }
}

extension Generator {
  /// A step with blocks.
  mutating func makeNesting(
    _ operation: Operation, _ template: Step, _ context: inout Context
  ) -> [Step] {
    var new = template
    let canSuspend = operation.hasAsyncBlocks
    switch operation {
    case .with, .withAsync:
      if random.chance(8) { return [readingShared(below: new)] }
      new.changes = changes(context)
      new.blocks = [block(canSuspend: canSuspend, &context)]
    case .run, .runAsync:
      let scope = random.pick(context.scopes)
      new.uses = [scope.variable]
      new.blocks = [block(canSuspend: canSuspend, in: scope.store, &context)]
    case .carry:
      new.keys = Array(Set((0..<random.pick(1...4)).map { _ in random.pick(pool.common) })).sorted()
      var store = context.store
      if random.chance(70), let scope = random.pick(ifAny: context.scopes) {
        new.uses = [scope.variable]
        store = scope.store
      }
      new.blocks = [block(canSuspend: canSuspend, in: store, &context)]
    case .runEnvironment:
      let environment = random.pick(context.environments.filter { $0.type != .settings })
      new.uses = [environment.variable]
      new.blocks = [block(canSuspend: canSuspend, in: environment.store, &context)]
    case .catching, .catchingAsync:
      var body = block(canSuspend: canSuspend, &context)
      if random.chance(50) { body.append(step(.throwError)) }
      new.blocks = [body, block(canSuspend: canSuspend, &context)]
    case .queueAsync:
      new.blocks = [block(canSuspend: canSuspend, in: 0, &context)]
    case .bind:
      makeClosure(&new, &context)
    case .task, .detachedTask, .detachedTaskIn:
      return makeTask(&new, &context)
    default:
      makeChildren(&new, &context)
    }
    return [new]
  }

  /// Overrides an input of a shared value, and inside that many other keys.
  ///
  /// They are enough for a table to take the first override over. It must stay the same input.
  private mutating func readingShared(below template: Step) -> Step {
    let shared = random.number(below: SharedKeys.count)
    var new = template
    new.changes = [Change(key: random.number(below: 8), value: value())]
    var inner = step(.with)
    let count = random.pick(8...17)
    for key in random.pick(count, of: 8..<Key.count) {
      inner.changes.append(Change(key: key, value: value()))
    }
    inner.blocks = [[step(.readShared) { $0.keys = [shared] }]]
    new.blocks = [[step(.readShared) { $0.keys = [shared] }, inner]]
    return new
  }

  /// A closure may be called anywhere, so its body changes nothing that matters elsewhere.
  private mutating func makeClosure(_ new: inout Step, _ context: inout Context) {
    var store = context.store
    if random.chance(60), let scope = random.pick(ifAny: context.scopes) {
      new.uses = [scope.variable]
      store = scope.store
    }
    var inner = context
    inner.ownedStores = []
    inner.globalKeys = []
    inner.store = store
    inner.depth += 1
    inner.canSuspend = false
    new.variant = random.number(below: 2)
    new.blocks = [block(&inner)]
    new.defines = makeVariable()
    if inner.hasStrayTasks { context.loseOwnership() }
    context.closures.append(new.defines!)
  }

  private mutating func makeTask(_ new: inout Step, _ context: inout Context) -> [Step] {
    var inner = context
    inner.depth += 1
    inner.canSuspend = true
    switch new.operation {
    case .detachedTask:
      inner.store = 0
    case .detachedTaskIn:
      let scope = random.pick(context.scopes)
      new.uses = [scope.variable]
      inner.store = scope.store
    default:
      break
    }
    new.defines = makeVariable()
    let isJoinedAtOnce = context.canSuspend && random.chance(40)
    if !isJoinedAtOnce {
      inner.ownedStores = []
      inner.globalKeys = random.chance(80) ? part(0, of: 2, context.globalKeys) : []
      context.globalKeys = part(1, of: 2, context.globalKeys)
      context.loseOwnership()
    }
    new.blocks = [block(&inner)]
    context.tasks.append(new.defines!)
    if !isJoinedAtOnce { return [new] }
    context.adoptVariables(of: inner)
    context.tasks.append(new.defines!)
    let variable = new.defines!
    return [new, step(.join) { $0.uses = [variable] }]
  }

  /// Concurrent children, each of which sets different global keys.
  private mutating func makeChildren(_ new: inout Step, _ context: inout Context) {
    let isGroup = new.operation != .asyncLet
    let count = isGroup ? random.pick(1...shape.mostChildren) : 2
    if isGroup, random.chance(30) { new.changes = changes(context) }
    new.variant = random.number(below: 2)
    var ended: [Context] = []
    for index in 0..<count {
      var inner = context
      inner.depth += 1
      inner.canSuspend = true
      if count > 1 {
        inner.ownedStores = []
        inner.globalKeys = part(index, of: count, context.globalKeys)
      }
      new.blocks.append(block(&inner))
      ended.append(inner)
    }
    // The variables that all of them defined are known from here on.
    let before = context
    for inner in ended {
      context.scopes += inner.scopes.dropFirst(before.scopes.count)
      context.closures += inner.closures.dropFirst(before.closures.count)
      context.declared += inner.declared.dropFirst(before.declared.count)
      context.environments += inner.environments.dropFirst(before.environments.count)
      context.tasks += inner.tasks.dropFirst(before.tasks.count)
      if inner.hasStrayTasks { context.loseOwnership() }
    }
  }

  private func part(_ index: Int, of count: Int, _ keys: [Int]) -> [Int] {
    keys.filter { $0 % count == index }
  }
}
