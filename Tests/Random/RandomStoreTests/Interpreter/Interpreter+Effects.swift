extension Interpreter {
  typealias Body = (ModelTask, _ isDone: @escaping () -> Void) -> Void

  /// Starts an effect: performs instantaneous parts, and creates tasks for the rest.
  func prepare(
    _ effect: EffectSpec, _ context: EffectContext, send: (ModelStore.WaitingAction) -> Void,
    launched: (ModelTask) -> Void
  ) {
    var context = context
    cover(effect)
    switch effect {
    case .none: break
    case .send(let action): send(context.sent(action, sendingTask(context)))
    case .merge(let effects):
      for effect in effects { prepare(effect, context, send: send, launched: launched) }
    case .map(let effect):
      context.tags += 1
      prepare(effect, context, send: send, launched: launched)
    case .cancel(let id): cancel(id, in: context.store)
    case .cancellable(let effect, let id, let cancelInFlight):
      if cancelInFlight { cancel(id, in: context.store, for: context) }
      context.ids.append(id)
      prepare(effect, context, send: send, launched: launched)
    case .debounce(let content, let id):
      cancel(id, in: context.store, for: context)
      context.ids.append(id)
      let task = makeTask(context, effect)
      launch(task, context) { [self] task, isDone in
        sleep(until: now + pause, task) { [self] in
          task.isCancelled ? isDone() : perform(content, context, task, isDone)
        }
      }
      launched(task)
    case .throttle(let content, let id, let latest):
      context.ids.append(id)
      throttle(content, id, latest, context, send, launched)
    case .run(let run):
      let task = makeTask(context, effect)
      if !run.isStubborn {
        let reading = Reading(context.scope)
        let events: [LaneEvent] =
          run.steps.isEmpty
          ? [.starts(reading), .ends]
          : [.starts(reading), .isCancelled(reading, knowsIt: true), .ends]
        task.onlyRun = (run.lane, events.map { .lane(run.lane, $0) })
      }
      launch(task, context) { [self] task, isDone in
        startRun(run, context, task, isDone)
      }
      launched(task)
    case .concatenate(let effects):
      let start = effects.firstIndex { !$0.isInstantaneous } ?? effects.endIndex
      for effect in effects[..<start] { prepare(effect, context, send: send, launched: launched) }
      let rest = EffectSpec.concatenate(Array(effects[start...])).normalized
      guard case .concatenate = rest else {
        return prepare(rest, context, send: send, launched: launched)
      }
      let task = makeTask(context, rest)
      launch(task, context) { [self] task, isDone in perform(rest, context, task, isDone) }
      launched(task)
    }
  }

  private func throttle(
    _ content: EffectSpec, _ id: Identifier, _ latest: Bool, _ context: EffectContext,
    _ send: (ModelStore.WaitingAction) -> Void, _ launched: (ModelTask) -> Void
  ) {
    let store = context.store
    guard let throttle = store.throttles[id], now < throttle.end else {
      cover("throttle runs")
      store.throttles[id] = ModelStore.Throttle(end: now + pause)
      return prepare(content, context, send: send, launched: launched)
    }
    let next = throttle.next.flatMap { $0.isCancelled ? nil : $0 }
    if next != nil, !latest { return cover("throttle drops") }
    cover(next == nil ? "throttle waits" : "throttle replaces")
    let task = makeTask(context, content)
    store.throttles[id]?.next = task
    if let next { cancel(next, of: store) }
    launch(task, context) { [self] task, isDone in
      sleep(until: throttle.end, task) { [self] in
        if task.isCancelled { return isDone() }
        if store.throttles[id]?.next === task {
          store.throttles[id] = ModelStore.Throttle(end: now + pause)
        }
        perform(content, context, task, isDone)
      }
    }
    launched(task)
  }

  /// Runs an effect as a part of a running task's effect.
  func perform(
    _ effect: EffectSpec, _ context: EffectContext, _ task: ModelTask,
    _ isDone: @escaping () -> Void
  ) {
    switch effect {
    case .none: isDone()
    case .send(let action):
      cover(effect)
      _ = deliver(action, context, task)
      isDone()
    case .run(let run):
      cover(effect)
      startRun(run, context, task, isDone)
    case .map(let effect):
      var context = context
      context.tags += 1
      perform(effect, context, task, isDone)
    case .merge(let effects):
      cover(effect)
      var left = effects.count
      for effect in effects {
        perform(effect, context, task) {
          left -= 1
          if left == 0 { isDone() }
        }
      }
    case .concatenate(let effects):
      cover(effect)
      performAll(effects[...], context, task, isDone)
    case .cancel, .cancellable, .debounce, .throttle:
      performSeparately(effect, context, task, isDone)
    }
  }

  private func performAll(
    _ effects: ArraySlice<EffectSpec>, _ context: EffectContext, _ task: ModelTask,
    _ isDone: @escaping () -> Void
  ) {
    guard let first = effects.first, !task.isCancelled else { return isDone() }
    perform(first, context, task) { [self] in
      performAll(effects.dropFirst(), context, task, isDone)
    }
  }

  /// Runs a part in its own tasks, which can be cancelled on their own.
  private func performSeparately(
    _ effect: EffectSpec, _ context: EffectContext, _ task: ModelTask,
    _ isDone: @escaping () -> Void
  ) {
    if task.isCancelled { return isDone() }
    cover("part of its own")
    let part = ModelFlight()
    var partContext = context
    partContext.flight = part
    partContext.ids = []
    partContext.whole = task
    let handler = task.onCancel { [self] in
      cover("cancelled part")
      cancel(part)
    }
    prepare(effect, partContext, send: { wait($0, context.store) }, launched: { _ in })
    startLaunched()
    drain(context.store)
    part.whenFinished { [self] in
      task.removeHandler(handler)
      if cancellations > 0 {
        task.wentOnIn = stepNumber
        hasGoneOn = true
      }
      isDone()
    }
  }

  private func cover(_ effect: EffectSpec) {
    switch effect {
    case .none: break
    case .send: cover("effect send")
    case .run: cover("effect run")
    case .merge: cover("effect merge")
    case .concatenate: cover("effect concatenate")
    case .map: cover("effect map")
    case .cancellable(_, _, let cancelInFlight):
      cover(cancelInFlight ? "effect cancelInFlight" : "effect cancellable")
    case .cancel: cover("effect cancel")
    case .debounce: cover("effect debounce")
    case .throttle(_, _, let latest): cover("effect throttle \(latest ? "latest" : "first")")
    }
  }
}
