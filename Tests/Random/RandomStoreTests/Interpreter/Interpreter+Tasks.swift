extension Interpreter {
  /// Makes a task, or what stands for a sequence.
  func makeTask(_ context: EffectContext) -> ModelTask {
    let task = ModelTask(context)
    if continuations > 0 { task.wentOnIn = stepNumber }
    context.flight.add(task)
    context.store.running.append(task)
    context.sequence?.members += 1
    if context.flight.isCancelled { cancel(task, of: context.store) }
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
    if let lane = task.lane { record(.released(lane: lane)) }
    let sequence = task.sequence
    sequence?.members -= 1
    if let sequence, sequence.members == 0, !sequence.isPreparing {
      // A task ends at any time, so what it continues is certain only when the step is over.
      continuations += 1
      sequence.token.wentOnIn = stepNumber
      goOn(sequence)
      startLaunched()
      if !store.isReducing { drain(store) }
      continuations -= 1
    }
    task.flight.remove(task)
  }

  /// Returns a token for an action that an effect sends.
  func token(_ context: EffectContext) -> ModelTask {
    let task = ModelTask(context)
    context.sequence?.members += 1
    context.store.sending.append(task)
    return task
  }

  /// - Parameter part: What begins in their place; what it is a part of goes on.
  func cancel(_ id: Identifier, in store: ModelStore, for part: EffectContext? = nil) {
    var spared: [ModelTask] = []
    var sequence = part?.sequence
    while let current = sequence {
      spared.append(current.token)
      sequence = current.context.sequence
    }
    cancelAll(in: store) { task in
      task.ids.contains(id) && !spared.contains { $0 === task }
    }
  }

  /// Cancels a sequence and what runs of it.
  func cancel(_ sequence: ModelSequence) {
    cancelAll(in: sequence.context.store) { task in
      task === sequence.token || task.sequence === sequence
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
    // Before the cancellation, which ends tasks itself.
    if finishedInThisStep.contains(where: {
      $0.store === store && $0.task.isMoving(in: stepNumber) && isMeant($0.task)
    }) {
      isUnpredictable = true
    }
    for task in store.sending where isMeant(task) { task.isCancelled = true }
    cancel(store.running.filter(isMeant))
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
    // Sequences first, so that they don't go on when a part ends.
    for task in tasks where task.tokenOf != nil { cancel(task, of: task.store) }
    for task in tasks where task.tokenOf == nil { cancel(task, of: task.store) }
  }

  private func cancel(_ task: ModelTask, of store: ModelStore) {
    guard !task.isCancelled else { return }
    task.isCancelled = true
    // Perhaps it doesn't exist yet.
    if task.wentOnIn == stepNumber { isUnpredictable = true }
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
