extension Interpreter {
  typealias Body = (ModelTask, _ isDone: @escaping () -> Void) -> Void

  /// Starts an effect, apart from the later parts of its sequences.
  func prepare(_ effect: EffectSpec, _ context: EffectContext) {
    var context = context
    cover(effect)
    switch effect {
    case .none: break
    case .send(let action):
      cover("action that waits")
      wait(context.sent(action, token(context)), context.store)
    case .merge(let effects):
      for effect in effects { prepare(effect, context) }
    case .map(let effect):
      context.tags += 1
      prepare(effect, context)
    case .cancel(let id): cancel(id, in: context.store)
    case .cancellable(let effect, let id, let cancelInFlight):
      if cancelInFlight { cancel(id, in: context.store, for: context) }
      context.ids.append(id)
      prepare(effect, context)
    case .debounce(let content, let id):
      cancel(id, in: context.store, for: context)
      context.ids.append(id)
      _ = begin(
        context, lanes: content.lanes,
        [
          { [self] in launchSleep(until: { self.now + pause }, $0) },
          { [self] in prepareFreeing(content, $0) },
        ])
    case .throttle(let content, let id, let latest):
      context.ids.append(id)
      throttle(content, id, latest, context)
    case .run(let run):
      held.insert(run.lane)
      let task = makeTask(context)
      task.lane = run.lane
      launch(task) { [self] task, isDone in
        startRun(run, context, task, isDone)
      }
    case .concatenate(let effects):
      _ = begin(
        context, lanes: effects.flatMap(\.lanes),
        effects.map { effect in { [self] in prepareFreeing(effect, $0) } })
    }
  }

  /// Prepares an effect, and frees the closures of runs that neither have started nor will.
  func prepareFreeing(_ effect: EffectSpec, _ context: EffectContext) {
    let lanes = Set(effect.lanes)
    context.sequence?.lanes.subtract(lanes)
    held.subtract(lanes)
    prepare(effect, context)
    for lane in lanes.subtracting(held).sorted() { record(.released(lane: lane)) }
  }

  private func throttle(
    _ content: EffectSpec, _ id: Identifier, _ latest: Bool, _ context: EffectContext
  ) {
    let store = context.store
    guard let throttle = store.throttles[id], now < throttle.end else {
      cover("throttle runs")
      store.throttles[id] = ModelStore.Throttle(end: now + pause)
      return prepare(content, context)
    }
    let next = throttle.next.flatMap { $0.token.isCancelled ? nil : $0 }
    if next != nil, !latest { return cover("throttle drops") }
    cover(next == nil ? "throttle waits" : "throttle replaces")
    store.throttles[id]?.next = begin(
      context, lanes: content.lanes,
      [
        { [self] in launchSleep(until: { throttle.end }, $0) },
        { [self] part in
          if store.throttles[id]?.next === part.sequence {
            store.throttles[id] = ModelStore.Throttle(end: now + pause)
          }
          prepareFreeing(content, part)
        },
      ])
    if let next { cancel(next) }
  }

  private func launchSleep(until deadline: @escaping () -> Int, _ context: EffectContext) {
    launch(makeTask(context)) { [self] task, isDone in
      sleep(until: deadline(), task, isDone)
    }
  }

  /// Begins a sequence.
  private func begin(
    _ context: EffectContext, lanes: [Int], _ parts: [ModelSequence.Part]
  ) -> ModelSequence {
    held.formUnion(lanes)
    let sequence = ModelSequence(makeTask(context), context, lanes: lanes, parts)
    sequence.token.tokenOf = sequence
    goOn(sequence)
    return sequence
  }

  /// Starts the next part of a sequence, unless something of it is running.
  func goOn(_ sequence: ModelSequence) {
    while sequence.members == 0, !sequence.isPreparing {
      guard !sequence.token.isCancelled, !sequence.parts.isEmpty else {
        free(sequence)
        return finish(sequence.token, of: sequence.context.store)
      }
      var context = sequence.context
      context.sequence = sequence
      sequence.isPreparing = true
      sequence.parts.removeFirst()(context)
      sequence.isPreparing = false
    }
  }

  /// Frees the parts of a sequence that never start.
  func free(_ sequence: ModelSequence) {
    for lane in sequence.lanes.sorted() { record(.released(lane: lane)) }
    sequence.lanes = []
    sequence.parts = []
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
