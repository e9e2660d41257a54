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
    case .carry, .carryAsync:
      new.keys = Array(Set((0..<random.int(1...4)).map { _ in random.pick(pool.common) })).sorted()
      var store = context.store
      if random.chance(70), let scope = context.scopes.randomElement(using: &random) {
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
    case .actorHop, .mainActorHop, .concurrentFunction, .queueBound, .queueSync:
      new.blocks = [block(canSuspend: canSuspend, &context)]
    case .bind, .bindAsync, .bindOnMain:
      makeClosure(&new, &context)
    case .task, .immediateTask, .detachedTask, .detachedTaskIn, .immediateDetachedTaskIn:
      return makeTask(&new, &context)
    case .cancel:
      new.keys = keysToRead()
      new.changes = changes(context)
      let body = block(canSuspend: true, &context)
      new.blocks = [body, block(canSuspend: true, &context)]
    default:
      makeChildren(&new, &context)
    }
    return [new]
  }

  /// Overrides an input of a shared value, and inside that many other keys.
  ///
  /// They are enough for a table to take the first override over. It must stay the same input.
  private mutating func readingShared(below template: Step) -> Step {
    let shared = random.int(0...SharedKeys.count - 1)
    var new = template
    new.changes = [Change(key: random.int(0...7), value: value())]
    var inner = step(.with)
    for key in (8..<Key.count).shuffled(using: &random).prefix(random.int(8...17)) {
      inner.changes.append(Change(key: key, value: value()))
    }
    inner.blocks = [[step(.readShared) { $0.keys = [shared] }]]
    new.blocks = [[step(.readShared) { $0.keys = [shared] }, inner]]
    return new
  }

  /// A closure may be called anywhere, so its body changes nothing that matters elsewhere.
  private mutating func makeClosure(_ new: inout Step, _ context: inout Context) {
    var store = context.store
    if random.chance(60), let scope = context.scopes.randomElement(using: &random) {
      new.uses = [scope.variable]
      store = scope.store
    }
    var inner = context
    inner.ownedStores = []
    inner.globalKeys = []
    inner.store = store
    inner.depth += 1
    inner.canSuspend = new.operation == .bindAsync
    new.variant = random.int(0...1)
    new.blocks = [block(&inner)]
    new.defines = makeVariable()
    if inner.hasStrayTasks { context.loseOwnership() }
    switch new.operation {
    case .bind: context.closures.append(new.defines!)
    case .bindAsync: context.asyncClosures.append(new.defines!)
    default: context.mainClosures.append(new.defines!)
    }
  }

  private mutating func makeTask(_ new: inout Step, _ context: inout Context) -> [Step] {
    var inner = context
    inner.depth += 1
    inner.canSuspend = true
    switch new.operation {
    case .detachedTask:
      inner.store = 0
    case .detachedTaskIn, .immediateDetachedTaskIn:
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
    let count = isGroup ? random.int(1...shape.mostChildren) : 2
    if isGroup, random.chance(30) { new.changes = changes(context) }
    new.variant = random.int(0...1)
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
      context.asyncClosures += inner.asyncClosures.dropFirst(before.asyncClosures.count)
      context.mainClosures += inner.mainClosures.dropFirst(before.mainClosures.count)
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
