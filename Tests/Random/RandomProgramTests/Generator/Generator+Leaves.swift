extension Generator {
  mutating func make(_ operation: Operation, _ context: inout Context) -> [Step] {
    var new = step(operation)
    switch operation {
    case .read, .readThroughGlobal:
      new.keys = keysToRead()
    case .stream:
      new.keys = keysToRead()
      if random.chance(50), let scope = context.scopes.randomElement(using: &random) {
        new.uses = [scope.variable]
      }
    case .readShared:
      new.keys = (0..<random.int(1...3)).map { _ in random.int(0...SharedKeys.count - 1) }
      if random.chance(60), let scope = context.scopes.randomElement(using: &random) {
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
      new.variant = random.int(0...1)
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
    case .callAsync:
      new.uses = [random.pick(context.asyncClosures)]
    case .callOnMain:
      new.uses = [random.pick(context.mainClosures)]
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
      guard let choice = choices.randomElement(using: &random) else { return false }
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
