extension Interpreter {
  func makeTask(_ context: EffectContext, _ effect: EffectSpec) -> ModelTask {
    let task = ModelTask(
      ids: context.ids, flight: context.flight, ownLanes: context.isPart ? [] : effect.lanes)
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

  func cancel(_ id: Identifier, in store: ModelStore) {
    for task in store.running where task.ids.contains(id) { cancel(task, of: store) }
    if finishedInThisStep.contains(where: {
      $0.store === store && $0.task.ids.contains(id) && $0.task.isMoving(in: stepNumber)
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

  /// It is not certain whether the task has started already, so what it does is permitted, not
  /// required; or even whether there is a task yet, if it is started by one that has gone on.
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
