extension EffectRunner {
  /// Runs the work of a task to completion.
  func run(_ work: EffectWork, _ task: EffectTask) async {
    switch work {
    case .perform(let node):
      await perform(node, task.context, task)
    case .wait(let wait):
      await wait.interval.waitForEnd()
      guard !task.isCancelled else { return }
      await deliver(EffectDelivery(.interval(wait.id, wait.throttling), from: task))
      await perform(wait.node, task.context, task)
    case .nothing:
      break
    }
  }

  /// Runs the operation of a `run` effect to completion.
  private func run(_ run: EffectRun, _ context: EffectContext, _ task: EffectTask) async {
    let sender = PartSender(task, context.maps, run.place)
    if let priority = run.priority {
      await withDiscardingTaskGroup { $0.addTask(priority: priority) { await run.perform(sender) } }
    } else {
      await run.perform(sender)
    }
    sender.end()
  }

  /// Runs effects one after the other, as parts of a running effect.
  func performAll(
    _ nodes: [EffectNode], _ context: EffectContext, _ task: EffectTask
  ) async {
    for node in nodes where !task.isCancelled { await perform(node, context, task) }
  }

  /// Runs an effect to completion, as a part of a running effect.
  func perform(_ node: EffectNode, _ context: EffectContext, _ task: EffectTask) async {
    var (node, context) = (node, context)
    while true {
      switch node.kind {
      case .mapped(let inner, let map):
        context.maps.append(map)
        node = inner
        continue
      case .owned(let inner, _):
        node = inner
        continue
      case .scoped(let inner, let scope):
        context.scope = scope
        await scope.run { [context] in await perform(inner, context, task) }
      case .send(let action):
        if !task.isCancelled {
          await deliver(EffectDelivery(.action(context.maps.apply(action)), from: task))
        }
      case .run:
        if let run = node.run { await self.run(run, context, task) }
      case .merge(let nodes):
        await withDiscardingTaskGroup { [context] group in
          for node in nodes {
            group.addTask { await self.perform(node, context, task) }
          }
        }
      case .concatenate(let nodes):
        await performAll(nodes, context, task)
      case .cancel, .cancellable, .throttled:
        await performSeparately(node, context, task)
      }
      return
    }
  }

  /// Runs a part of an effect to completion, in its own tasks, which are cancelled with the effect
  /// or on their own.
  private func performSeparately(
    _ node: EffectNode, _ context: EffectContext, _ task: EffectTask
  ) async {
    let part = Flight(self)
    var context = context
    context.flight = part
    context.groups = []
    context.whole = task
    // Not only in `finish`, which is called when this task runs again, perhaps much later.
    await withTaskCancellationHandler { [context] in
      await deliver(EffectDelivery(.part(node, context), from: task))
      await part.finish()
    } onCancel: {
      part.cancel()
    }
  }
}
