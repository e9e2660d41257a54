extension Interpreter {
  func startRun(
    _ run: RunSpec, _ context: EffectContext, _ task: ModelTask, _ isDone: @escaping () -> Void
  ) {
    record(run, .starts(Reading(context.scope)))
    goOn(run, from: 0, context, task, isDone)
  }

  /// Waits at the gate of a step, and then performs it.
  private func goOn(
    _ run: RunSpec, from number: Int, _ context: EffectContext, _ task: ModelTask,
    _ isDone: @escaping () -> Void
  ) {
    guard number < run.steps.count else { return end(run, context, task, isDone) }
    if run.isStubborn {
      parked[run.lane] = ParkedRun { [self] in take(run, number, context, task, isDone) }
      return
    }
    if task.isCancelled { return endCancelled(run, context, isDone) }
    let handler = task.onCancel { [self] in
      parked[run.lane] = nil
      endCancelled(run, context, isDone)
    }
    parked[run.lane] = ParkedRun { [self] in
      task.removeHandler(handler)
      take(run, number, context, task, isDone)
    }
  }

  private func take(
    _ run: RunSpec, _ number: Int, _ context: EffectContext, _ task: ModelTask,
    _ isDone: @escaping () -> Void
  ) {
    let reading = Reading(context.scope)
    cover("hop \(run.steps[number].hop)")
    if task.isCancelled { cover("cancelled stubborn run") }
    record(
      run, .goesOn(step: number, during: reading, after: reading, isCancelled: task.isCancelled))
    if let action = run.steps[number].action {
      if run.steps[number].isOvertaken, !task.isCancelled {
        cover("overtaken action")
        cancel(context.flight)
      }
      let isReduced = deliver(action, context, task)
      record(run, .hasSent(action: action.action.id, isReduced: isReduced))
    }
    goOn(run, from: number + 1, context, task, isDone)
  }

  private func end(
    _ run: RunSpec, _ context: EffectContext, _ task: ModelTask, _ isDone: () -> Void
  ) {
    record(run, .ends)
    if let caught = run.caught, !task.isCancelled {
      cover("handled error")
      record(run, .hasCaught(Reading(context.scope)))
      _ = deliver(caught, context, task)
    }
    isDone()
  }

  private func endCancelled(_ run: RunSpec, _ context: EffectContext, _ isDone: () -> Void) {
    cover("cancelled run")
    record(run, .isCancelled(Reading(context.scope), knowsIt: true))
    record(run, .ends)
    isDone()
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
