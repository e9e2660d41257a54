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
    case .cancel(let id): cancel(id, context)
    case .cancellable(let effect, let id, let cancelInFlight):
      if cancelInFlight { cancel(id, context, startsPart: true) }
      context.ids.append(id)
      prepare(effect, context)
    case .debounce(let content, let id):
      cancel(id, context, startsPart: true)
      context.ids.append(id)
      _ = begin(
        context,
        [
          { [self] in launchSleep(until: { self.now + pause }, $0) },
          { [self] in prepare(content, $0) },
        ])
    case .throttle(let content, let id, let latest):
      context.ids.append(id)
      throttle(content, id, latest, context)
    case .run(let run):
      launch(makeTask(context)) { [self] task, isDone in
        startRun(run, context, task, isDone)
      }
    case .concatenate(let effects):
      _ = begin(context, effects.map { effect in { [self] in prepare(effect, $0) } })
    }
  }

  private func throttle(
    _ content: EffectSpec, _ id: Identifier, _ latest: Bool, _ context: EffectContext
  ) {
    let store = context.store
    let id = ChildIdentifier(path: context.path, id: id)
    guard let throttle = store.throttles[id], now < throttle.end else {
      cover("throttle runs")
      if store.throttles.keys.count(where: { $0.path == id.path }) > 16 { cover("many throttles") }
      store.throttles[id] = ModelStore.Throttle(end: now + pause)
      return prepare(content, context)
    }
    let next = throttle.next.flatMap { $0.token.isCancelled ? nil : $0 }
    if next != nil, !latest { return cover("throttle drops") }
    cover(next == nil ? "throttle waits" : "throttle replaces")
    store.throttles[id]?.next = begin(
      context,
      [
        { [self] in launchSleep(until: { throttle.end }, $0) },
        { [self] part in
          if store.throttles[id]?.next === part.sequence {
            store.throttles[id] = ModelStore.Throttle(end: now + pause)
          }
          prepare(content, part)
        },
      ])
    if let next { cancel(next, by: context.flight) }
  }

  private func launchSleep(until deadline: @escaping () -> Int, _ context: EffectContext) {
    launch(makeTask(context)) { [self] task, isDone in
      sleep(until: deadline(), task, isDone)
    }
  }

  /// Begins a sequence.
  private func begin(_ context: EffectContext, _ parts: [ModelSequence.Part]) -> ModelSequence {
    let sequence = ModelSequence(makeTask(context), context, parts)
    sequence.token.tokenOf = sequence
    continueSequence(sequence)
    return sequence
  }

  /// Starts the next part of a sequence, unless something of it is running.
  func continueSequence(_ sequence: ModelSequence) {
    while sequence.members == 0, !sequence.isPreparing {
      guard !sequence.token.isCancelled, !sequence.parts.isEmpty else {
        sequence.parts = []
        return finish(sequence.token, of: sequence.context.store)
      }
      var context = sequence.context
      context.sequence = sequence
      sequence.isPreparing = true
      sequence.parts.removeFirst()(context)
      sequence.isPreparing = false
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

extension Interpreter {
  func startRun(
    _ run: RunSpec, _ context: EffectContext, _ task: ModelTask, _ isDone: @escaping () -> Void
  ) {
    record(run, .starts(Reading(context.scope)))
    continueRun(run, from: 0, context, task, isDone)
  }

  /// Waits at the gate of a step, and then performs it.
  private func continueRun(
    _ run: RunSpec, from number: Int, _ context: EffectContext, _ task: ModelTask,
    _ isDone: @escaping () -> Void
  ) {
    guard number < run.steps.count else { return end(run, context, task, isDone) }
    if run.isStubborn {
      parked[run.lane] = { [self] in take(run, number, context, task, isDone) }
      return
    }
    if task.isCancelled { return endCancelled(run, context, task, isDone) }
    let handler = task.onCancel { [self] in
      parked[run.lane] = nil
      endCancelled(run, context, task, isDone)
    }
    parked[run.lane] = { [self] in
      task.removeHandler(handler)
      take(run, number, context, task, isDone)
    }
  }

  private func take(
    _ run: RunSpec, _ number: Int, _ context: EffectContext, _ task: ModelTask,
    _ isDone: @escaping () -> Void
  ) {
    if task.isCancelled { cover("cancelled stubborn run") }
    record(
      run, .continues(step: number, Reading(context.scope), isCancelled: task.isCancelled))
    if let part = run.steps[number].part { begin(part, context, task) }
    if let action = run.steps[number].action {
      if run.steps[number].isOvertaken, !task.isCancelled {
        cover("overtaken action")
        cancel(context.flight)
      }
      let isReduced = deliver(action, context, task)
      record(run, .hasSent(action: action.action.id, isReduced: isReduced))
    }
    continueRun(run, from: number + 1, context, task, isDone)
  }

  private func begin(_ part: RunSpec.Part, _ context: EffectContext, _ task: ModelTask) {
    cover(part.cancelInFlight ? "part that cancels others" : "part")
    var context = context
    (context.sequence, context.run, context.ids) = (nil, task, [part.id])
    if part.cancelInFlight { cancel(part.id, context, startsPart: true) }
    task.parts += 1
    launch(makeTask(context)) { [self] partTask, isDone in
      startRun(part.run, context, partTask) { [self] in
        isDone()
        partEnded(of: task)
      }
    }
    startLaunched()
  }

  private func end(
    _ run: RunSpec, _ context: EffectContext, _ task: ModelTask, _ isDone: @escaping () -> Void
  ) {
    whenPartsEnded(task) { [self] in
      record(run, .ends)
      if let caught = run.caught, !task.isCancelled {
        cover("handled error")
        record(run, .hasCaught(Reading(context.scope)))
        _ = deliver(caught, context, task)
      }
      isDone()
    }
  }

  private func endCancelled(
    _ run: RunSpec, _ context: EffectContext, _ task: ModelTask, _ isDone: @escaping () -> Void
  ) {
    cover(task.run == nil ? "cancelled run" : "cancelled part")
    record(run, .isCancelled(Reading(context.scope), knowsIt: true))
    whenPartsEnded(task) { [self] in
      record(run, .ends)
      isDone()
    }
  }

  private func whenPartsEnded(_ task: ModelTask, _ end: @escaping () -> Void) {
    if task.parts == 0 { end() } else { task.partsEnded = end }
  }

  /// Ends a part, and then its run, if that waits for its parts.
  private func partEnded(of task: ModelTask) {
    task.parts -= 1
    guard task.parts == 0, let end = task.partsEnded.take() else { return }
    // It ends at any time, so what it does is certain only when the step is over.
    task.continuedIn = stepNumber
    launches.append(end)
  }

  /// Sends an action for a task, and returns whether it was reduced.
  func deliver(_ action: SentAction, _ context: EffectContext, _ task: ModelTask) -> Bool {
    guard !task.isCancelled else {
      cover("ignored action")
      return false
    }
    let sent = context.sent(action, nil)
    let count = reducedCount(action.action.id)
    receive(sent.path, sent.action, tags: sent.tags, in: context.flight, context.store)
    return reducedCount(action.action.id) > count
  }

  private func reducedCount(_ action: Int) -> Int {
    step.events.count {
      if case .reduced(_, action, isEcho: false, _, _, _) = $0 { true } else { false }
    }
  }

  private func record(_ run: RunSpec, _ event: LaneEvent) {
    record(.lane(run.lane, event))
  }
}

extension Interpreter {
  /// Makes a task, or what stands for a sequence.
  func makeTask(_ context: EffectContext) -> ModelTask {
    let task = ModelTask(context)
    if continuations > 0 { task.continuedIn = stepNumber }
    context.flight.tasks.append(task)
    context.store.running.append(task)
    context.sequence?.members += 1
    if context.flight.isCancelled || context.run?.isCancelled == true {
      cancel(task, of: context.store)
    }
    return task
  }

  func launch(_ task: ModelTask, _ body: @escaping Body) {
    task.launchedIn = stepNumber
    launches.append { [self] in
      if task.isCancelled { cover("cancelled before it starts") }
      body(task) { [self] in finish(task, of: task.store) }
    }
  }

  /// Ends a task, and continues the sequence that it is a part of.
  func finish(_ task: ModelTask, of store: ModelStore) {
    store.running.removeAll { $0 === task }
    finishedInThisStep.append((store, task))
    let sequence = task.sequence
    sequence?.members -= 1
    if let sequence, sequence.members == 0, !sequence.isPreparing {
      // A task ends at any time, so what it continues is certain only when the step is over.
      continuations += 1
      sequence.token.continuedIn = stepNumber
      continueSequence(sequence)
      startLaunched()
      if !store.isReducing { drain(store) }
      continuations -= 1
    }
    task.flight.tasks.removeAll { $0 === task }
    for flight in task.cancellers { flight.cancelled.removeAll { $0 === task } }
  }

  /// Returns a token for an action that an effect sends.
  func token(_ context: EffectContext) -> ModelTask {
    let task = ModelTask(context)
    context.sequence?.members += 1
    context.store.sending.append(task)
    return task
  }

  /// Cancels the effects with an identifier, of the child that returned an effect and of those below.
  ///
  /// - Parameter startsPart: Whether a part begins in their place. What it belongs to isn't cancelled.
  func cancel(_ id: Identifier, _ context: EffectContext, startsPart: Bool = false) {
    var spared: [ModelTask] = []
    var owner = startsPart ? context.sequence?.token ?? context.run : nil
    while let current = owner {
      spared.append(current)
      owner = current.owner
    }
    let others = context.store.running.filter { $0.ids.contains(id) }
    if others.contains(where: { !$0.path.starts(with: context.path) }) { cover("other child's") }
    if others.contains(where: { $0.path.count > context.path.count }) { cover("child's below") }
    cancelAll(in: context.store, by: context.flight) {
      $0.has(id, below: context.path, sparing: spared)
    }
  }

  /// Cancels a sequence and what runs of it.
  private func cancel(_ sequence: ModelSequence, by flight: ModelFlight) {
    cancelAll(in: sequence.context.store, by: flight) { task in
      task === sequence.token || task.isPart(of: sequence)
    }
  }

  /// Cancels the effects of children that no longer exist.
  func endGone(_ store: ModelStore, by flight: ModelFlight) {
    store.throttles = store.throttles.filter { store.node.has($0.key.path) }
    let gone = (store.running + store.sending).filter { !$0.isGone && !store.node.has($0.path) }
    for task in gone {
      task.isGone = true
      if !task.isCancelled { cover("ended with its child") }
    }
    cancelAll(in: store, by: flight) { task in
      gone.contains { $0 === task }
        || !task.isGone && !task.isCancelled && !store.node.has(task.path)
    }
  }

  private func cancelAll(
    in store: ModelStore, by flight: ModelFlight, where isMeant: (ModelTask) -> Bool
  ) {
    // Checked before the cancellation, which ends tasks itself.
    if finishedInThisStep.contains(where: {
      $0.store === store && $0.task.isMoving(in: stepNumber) && isMeant($0.task)
    }) {
      isUnpredictable = true
    }
    for task in store.sending where isMeant(task) { task.isCancelled = true }
    let cancelled = store.running.filter(isMeant)
    for task in cancelled where task.flight !== flight && task.tokenOf == nil {
      task.cancellers.append(flight)
      flight.cancelled.append(task)
    }
    cancel(cancelled)
  }

  func cancel(_ flight: ModelFlight) {
    flight.isCancelled = true
    if finishedInThisStep.contains(where: {
      $0.task.flight === flight && $0.task.isMoving(in: stepNumber)
    }) {
      isUnpredictable = true
    }
    for store in stores {
      for task in store.sending where task.flight === flight { task.isCancelled = true }
    }
    cancel(flight.tasks)
  }

  func cancel(_ tasks: [ModelTask]) {
    // Sequences first, so that they don't continue when a part ends.
    for task in tasks where task.tokenOf != nil { cancel(task, of: task.store) }
    for task in tasks where task.tokenOf == nil { cancel(task, of: task.store) }
  }

  private func cancel(_ task: ModelTask, of store: ModelStore) {
    guard !task.isCancelled else { return }
    task.isCancelled = true
    // The library may not have created it yet.
    if task.continuedIn == stepNumber { isUnpredictable = true }
    task.runCancelHandlers()
  }

  func sleep(until deadline: Int, _ task: ModelTask, _ wake: @escaping () -> Void) {
    record(.sleeps(until: deadline))
    if task.isCancelled { return wake() }
    sleepCount += 1
    let id = sleepCount
    let handler = task.onCancel { [self] in
      cover("cancelled sleep")
      sleepers.removeAll { $0.id == id }
      wake()
    }
    if deadline <= now {
      task.removeHandler(handler)
      return wake()
    }
    sleepers.append(
      Sleeper(id: id, deadline: deadline) {
        task.removeHandler(handler)
        wake()
      })
  }
}
