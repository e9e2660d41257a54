extension Interpreter {
  func makeTask(_ context: EffectContext, _ effect: EffectSpec) -> ModelTask {
    let task = ModelTask(context, ownLanes: context.isPart ? [] : effect.lanes)
    context.flight.add(task)
    context.store.running.append(task)
    if context.flight.isCancelled { cancel(task, of: context.store) }
    return task
  }

  func launch(_ task: ModelTask, _ context: EffectContext, _ body: @escaping Body) {
    task.launchedIn = stepNumber
    launches.append { [self] in
      if task.isCancelled {
        cover("cancelled before it starts")
        finish(task, of: context.store)
      } else {
        body(task) { [self] in finish(task, of: context.store) }
      }
    }
  }

  private func finish(_ task: ModelTask, of store: ModelStore) {
    store.running.removeAll { $0 === task }
    finishedInThisStep.append((store, task))
    for lane in task.ownLanes { record(.released(lane: lane)) }
    task.flight.remove(task)
  }

  /// Returns a token for an action that an effect sends, if something can cancel the effect.
  func sendingTask(_ context: EffectContext) -> ModelTask? {
    let isOfLink = context.store.spec.root.links(along: context.path).contains(where: \.mayGo)
    if context.ids.isEmpty, context.whole == nil, !isOfLink { return nil }
    let task = ModelTask(context, ownLanes: [])
    context.store.sending.append(task)
    return task
  }

  /// - Parameter part: What begins in their place; what it is a part of goes on.
  func cancel(_ id: Identifier, in store: ModelStore, for part: EffectContext? = nil) {
    var wholes: [ModelTask] = []
    while let whole = wholes.isEmpty ? part?.whole : wholes.last?.whole { wholes.append(whole) }
    cancelAll(in: store) { task in
      task.ids.contains(id) && !wholes.contains { $0 === task }
    }
  }

  /// Cancels the effects of children that no longer exist.
  func endGone(_ store: ModelStore) {
    cancelAll(in: store) { task in
      guard !task.isCancelled, !store.node.has(task.path) else { return false }
      cover("ended with its child")
      return true
    }
  }

  private func cancelAll(in store: ModelStore, where isMeant: (ModelTask) -> Bool) {
    for task in store.sending where isMeant(task) { task.isCancelled = true }
    for task in store.running.filter(isMeant) { cancel(task, of: store) }
    if finishedInThisStep.contains(where: {
      $0.store === store && $0.task.isMoving(in: stepNumber) && isMeant($0.task)
    }) {
      isUnpredictable = true
    }
  }

  func cancel(_ flight: ModelFlight) {
    flight.isCancelled = true
    for task in flight.tasks {
      guard let store = stores.first(where: { $0.running.contains { $0 === task } }) else {
        continue
      }
      cancel(task, of: store)
    }
    if finishedInThisStep.contains(where: {
      $0.task.flight === flight && $0.task.isMoving(in: stepNumber)
    }) {
      isUnpredictable = true
    }
  }

  func cancel(_ task: ModelTask, of store: ModelStore) {
    guard !task.isCancelled else { return }
    task.isCancelled = true
    if task.isMoving(in: stepNumber) { cancelInDoubt(task) }
    cancellations += 1
    task.runCancelHandlers()
    cancellations -= 1
  }

  /// It is uncertain whether the task has already started, so its events are permitted, but not
  /// required.
  ///
  /// A task created by another that continued may not even exist yet.
  private func cancelInDoubt(_ task: ModelTask) {
    guard let run = task.onlyRun, !hasGoneOn else {
      isUnpredictable = true
      return
    }
    cover("cancelled when it may have started")
    step.events.removeAll { $0.stream == .lane(run.lane) }
    step.optionalEvents[run.lane] = run.events
  }

  func sleep(until deadline: Int, _ task: ModelTask, _ wake: @escaping () -> Void) {
    record(.sleeps(until: deadline))
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
