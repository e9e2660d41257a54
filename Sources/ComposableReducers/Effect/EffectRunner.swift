internal import Synchronization

/// Runs the effects of one store, and knows which are under way.
@usableFromInline
package final class EffectRunner<Action: Sendable>: Sendable {
  /// What is the same for all parts of an effect.
  @usableFromInline
  struct Context: Sendable {
    var scope: DependencyScope
    let flight: Flight
    let deliver: @Sendable (Action) async -> Void
    /// What the supervisor is told.
    let cause: EffectCause<Action>?
    var ids: [EffectID] = []
  }

  /// Tasks that are known already, so that they can be cancelled, and are yet to be started.
  private typealias Launches = [() -> Void]

  let registry = EffectRegistry()
  let supervisor: (any EffectSupervisor)?

  @usableFromInline
  init(supervisor: (any EffectSupervisor)?) {
    self.supervisor = supervisor
  }

  /// Starts an effect; the actions that it sends without any work go to `send`.
  ///
  /// No task starts before all parts of the effect are known: one of them may cancel another.
  @usableFromInline
  func start(_ effect: Effect<Action>, in context: Context, sending send: (Action) -> Void) {
    var launches: Launches = []
    prepare(effect, in: context, &launches, send)
    for launch in launches { launch() }
  }

  private func prepare(
    _ effect: Effect<Action>, in context: Context, _ launches: inout Launches,
    _ send: (Action) -> Void
  ) {
    var context = context
    switch effect.operation {
    case .none:
      break
    case .send(let action):
      send(action)
    case .merge(let effects):
      for effect in effects { prepare(effect, in: context, &launches, send) }
    case .scoped(let effect, let scope):
      context.scope = scope
      prepare(effect, in: context, &launches, send)
    case .cancel(let id):
      registry.cancel(id)
    case .cancellable(let effect, let id, let cancelInFlight):
      if cancelInFlight { registry.cancel(id) }
      context.ids.append(id)
      prepare(effect, in: context, &launches, send)
    case .throttled(let effect, let id, let throttling):
      context.ids.append(id)
      let task = EffectTask(priority: nil)
      switch registry.throttle(task, id, throttling) {
      case .runsNow:
        prepare(effect, in: context, &launches, send)
      case .waits(let interval):
        prepare(task, of: effect, in: context, &launches) { [context] in
          await interval.waitForEnd()
          guard !task.isCancelled else { return }
          self.registry.openInterval(task, id, throttling)
          await self.perform(effect, in: context, task)
        }
      case .isDropped:
        break
      }
    case .run(let run):
      let task = EffectTask(priority: run.priority)
      prepare(task, of: effect, in: context, &launches) { [context] in
        await run.operation(self.send(of: task, context))
      }
    case .concatenate(let effects):
      // What needs no time is done at once, so that it comes before what is sent next.
      let start = effects.firstIndex { !$0.isInstantaneous } ?? effects.endIndex
      for effect in effects[..<start] { prepare(effect, in: context, &launches, send) }
      let rest = Effect<Action>.concatenate(Array(effects[start...]))
      if effects[start...].count == 1 {
        prepare(rest, in: context, &launches, send)
      } else if !rest.isNone {
        let task = EffectTask(priority: nil)
        prepare(task, of: rest, in: context, &launches) { [context] in
          await self.perform(rest, in: context, task)
        }
      }
    }
  }

  /// Runs an effect, as a part of one that runs already, to its end.
  private func perform(
    _ effect: Effect<Action>, in context: Context, _ task: EffectTask
  ) async {
    var context = context
    switch effect.operation {
    case .none:
      break
    case .send(let action):
      await send(of: task, context)(action)
    case .run(let run):
      await run.operation(send(of: task, context))
    case .merge(let effects):
      await withDiscardingTaskGroup { [context] group in
        for effect in effects {
          group.addTask { await self.perform(effect, in: context, task) }
        }
      }
    case .concatenate(let effects):
      for effect in effects where !task.isCancelled {
        await perform(effect, in: context, task)
      }
    case .scoped(let effect, let scope):
      context.scope = scope
      await scope.run { [context] in await perform(effect, in: context, task) }
    case .cancel, .cancellable, .throttled:
      context.ids = []
      await performSeparately(effect, in: context)
    }
  }

  /// Runs a part of an effect in tasks of its own, which are cancelled with this one or by
  /// themselves, to its end.
  private func performSeparately(_ effect: Effect<Action>, in context: Context) async {
    let part = Flight()
    let partContext = Context(
      scope: context.scope, flight: part, deliver: context.deliver, cause: context.cause)
    await withTaskCancellationHandler {
      var actions: [Action] = []
      start(effect, in: partContext) { actions.append($0) }
      for action in actions { await context.deliver(action) }
      await part.finish()
    } onCancel: {
      part.cancel()
    }
  }

  private func send(of task: EffectTask, _ context: Context) -> Send<Action> {
    Send(isCancelled: { task.isCancelled }, deliver: context.deliver)
  }

  private func prepare(
    _ task: EffectTask,
    of effect: Effect<Action>,
    in context: Context,
    _ launches: inout Launches,
    _ operation: @escaping @Sendable () async -> Void
  ) {
    context.flight.add(task)
    registry.add(task, context.ids)
    if let supervisor, let cause = context.cause {
      supervisor.willStart(
        ObjectIdentifier(task), of: EffectOrigin(action: cause.action, places: effect.places))
    }
    launches.append { [supervisor] in
      task.start(on: supervisor?.executor) {
        await context.scope.run(operation)
      } onFinish: {
        self.registry.remove(task, context.ids)
        context.flight.remove(task)
        supervisor?.didFinish(ObjectIdentifier(task))
      }
    }
  }

  /// Cancels everything that is under way.
  package func cancelAll() {
    registry.cancelAll()
  }
}
