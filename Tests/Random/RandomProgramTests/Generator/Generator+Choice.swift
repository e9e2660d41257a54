extension Generator {
  /// Returns the next steps: a single one, or a task and the step that waits for it.
  mutating func next(_ context: inout Context) -> [Step] {
    let nests = context.depth < shape.deepest && random.chance(shape.nesting)
    let operation = pick(nests ? nesting(context) : leaves(context))
    return make(operation, &context)
  }

  private mutating func pick(_ choices: [(Operation, Int)]) -> Operation {
    var number = random.int(0...choices.reduce(-1) { $0 + $1.1 })
    for (operation, weight) in choices {
      number -= weight
      if number < 0 { return operation }
    }
    return .read
  }

  private func leaves(_ context: Context) -> [(Operation, Int)] {
    var choices: [(Operation, Int)] = [
      (.read, 12), (.readComputed, 2), (.readShared, 4), (.readThroughGlobal, 2), (.capture, 4),
      (.isolated, 2),
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
    if context.canSuspend {
      if !context.asyncClosures.isEmpty { choices.append((.callAsync, 5)) }
      if !context.mainClosures.isEmpty { choices.append((.callOnMain, 3)) }
      if !context.tasks.isEmpty { choices.append((.join, 5)) }
    }
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
      (.with, 8), (.catching, 4), (.bind, 3), (.bindAsync, 2), (.bindOnMain, 1), (.task, 3),
      (.immediateTask, 2), (.detachedTask, 1), (.queueSync, 2),
    ]
    if context.canSuspend {
      choices += [
        (.withAsync, 8), (.catchingAsync, 4), (.cancel, 3), (.asyncLet, 4), (.group, 4),
        (.throwingGroup, 3), (.actorHop, 3), (.mainActorHop, 1), (.concurrentFunction, 2),
        (.queueAsync, 2), (.queueBound, 2),
      ]
    }
    if !context.scopes.isEmpty {
      choices += [(.run, 4), (.detachedTaskIn, 2), (.immediateDetachedTaskIn, 1)]
      if context.canSuspend { choices.append((.runAsync, 4)) }
    }
    if context.ownsStore {
      // A carried value must be known.
      choices.append((.carry, 3))
      if context.canSuspend { choices.append((.carryAsync, 3)) }
    }
    if context.environments.contains(where: { $0.type != .settings }) {
      choices.append((.runEnvironment, 4))
    }
    return choices
  }
}
