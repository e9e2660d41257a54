/// Starts the effects of one store, and decides what they cancel.
///
/// Used only in the store's isolation, so a cancellation happens either before or after an action.
final class EffectScheduler {
  /// What waits while an action is being reduced.
  enum Waiting {
    /// An action, what represents it in the tree of effects, and the effect that sent it, if any.
    case action(any Sendable, RunningEffect, from: RunningEffect?)
    case sequence(RunningEffect)
  }

  private enum Step {
    case prepare(EffectNode, EffectContext)
    /// Start the next part of a sequence, if nothing of it is running.
    case startNextPart(RunningEffect)
  }

  let registry: EffectRegistry
  var waiting: [Waiting] = []
  /// The number of children above which those without effects are forgotten.
  private var limit = 16
  private var childCount = 0
  /// Children that are gone, whose effects must be canceled.
  private var gone: [EffectChild] = []
  /// Effects that are registered, so that they can be canceled, but not started yet.
  private var launches: [RunningEffect] = []

  init(_ registry: EffectRegistry) {
    self.registry = registry
  }

  deinit {
    registry.root.removeAll()
  }

  /// Prepares all parts of an effect that can start now; one part may cancel another.
  func prepare(_ node: EffectNode, in context: EffectContext) {
    // The most common effect needs no list of steps.
    if case .run(let run) = node.kind { return launch(run, context) }
    perform(.prepare(node, context))
  }

  /// Prepares and starts the next part of a sequence.
  func continueSequence(_ sequence: RunningEffect) {
    perform(.startNextPart(sequence))
    start()
  }

  /// Starts the tasks of the operations that were prepared.
  func start() {
    // The store is busy meanwhile, so nothing is added.
    for effect in launches { effect.start() }
    launches.removeAll(keepingCapacity: launches.count <= 64)
  }

  /// Cancels the effects of children that are gone from the store's state, and returns their operations.
  func cancelEffectsOfGoneChildren<State>(in state: State) -> [RunningEffect] {
    registry.root.removeGone(in: state, &gone)
    if gone.isEmpty { return [] }
    let cancelled = registry.cancel(children: gone)
    for child in gone { child.removeAll() }
    gone = []
    return cancelled
  }

  private func perform(_ first: Step) {
    var steps = [first]
    // The sequences that a sequence was the last part of. They continue after everything else is
    // prepared, because it may belong to them.
    var ended: [RunningEffect] = []
    while let step = steps.popLast() ?? ended.popLast().map(Step.startNextPart) {
      switch step {
      case .prepare(let node, let context):
        prepare(node, context, &steps)
      case .startNextPart(let sequence):
        guard registry.isEmpty(sequence) else { continue }
        if !sequence.isCancelled, let node = sequence.rest.popLast() {
          var context = sequence.context
          context.enter(sequence)
          // The sequence continues immediately if the part has nothing to run.
          steps += [.startNextPart(sequence), .prepare(node, context)]
        } else {
          sequence.rest = []
          if let outer = registry.remove(sequence) { ended.append(outer) }
        }
      }
    }
  }

  private func prepare(_ node: EffectNode, _ context: EffectContext, _ steps: inout [Step]) {
    var context = context
    switch node.kind {
    case .run(let run):
      launch(run, context)
    case .send(let action):
      let action = context.transform(action)
      let effect = registry.add(.waitingAction, context)
      waiting.append(.action(action, effect, from: effect))
    case .merge(let nodes):
      for node in nodes.reversed() { steps.append(.prepare(node, context)) }
    case .concatenate(let nodes):
      steps.append(.startNextPart(begin(nodes, context)))
    case .mapped(let inner, let inScope, let transform):
      context.maps = ActionMap(
        transform, in: inScope ? context.scope : nil, inside: context.maps)
      steps.append(.prepare(inner, context))
    case .ofChild(let inner, let link):
      context.child = child(link, of: context.child)
      if link.pullback.mayDisappear { context.enter(registry.makeGroup(.child, context)) }
      steps.append(.prepare(inner, context))
    case .scoped(let inner, let scope):
      context.scope = scope
      steps.append(.prepare(inner, context))
    case .cancel(let id):
      registry.cancel(id, in: context)
    case .cancellable(let inner, let id, let cancelInFlight):
      if cancelInFlight { registry.cancel(id, in: context, sparing: context.parent) }
      context.enter(registry.makeGroup(.id(id), context))
      steps.append(.prepare(inner, context))
    case .openInterval(let throttling):
      context.child.throttles.openNext(throttling, after: context.owner)
    case .throttled(let inner, let throttling):
      let decision = context.child.throttles.decide(throttling)
      context.enter(registry.makeGroup(.id(throttling.id), context))
      switch decision {
      case .runsNow:
        steps.append(.prepare(inner, context))
      case .waits(let interval, let replaced):
        let pause = EffectRun(place: throttling.place) { _ in await interval.waitForEnd() }
        let sequence = begin(
          [EffectNode(.run(pause)), EffectNode(.openInterval(throttling)), inner], context)
        context.child.throttles.wait(sequence, throttling, interval)
        if let replaced { registry.wait(for: registry.cancel(replaced), in: context.action) }
        steps.append(.startNextPart(sequence))
      case .isDropped:
        break
      }
    }
  }

  private func launch(_ run: EffectRun, _ context: EffectContext) {
    let effect = registry.add(.operation(at: run.place), context, run)
    if let supervisor = registry.supervisor, let cause = context.cause {
      supervisor.willStart(
        ObjectIdentifier(effect), of: EffectOrigin(action: cause, place: run.place))
    }
    launches.append(effect)
  }

  private func begin(_ parts: [EffectNode], _ context: EffectContext) -> RunningEffect {
    let sequence = registry.add(.sequence, context)
    sequence.rest = parts.reversed()
    return sequence
  }

  /// Returns the child to which a pullback leads.
  private func child(_ link: ChildLink, of parent: EffectChild) -> EffectChild {
    let known = parent.branch(of: link).children[link.id]
    if let known, known.identity == link.identity { return known }
    if let known { gone.append(known) }
    // Seldom enough that the cost of a child doesn't grow with their number.
    if childCount >= limit {
      childCount = registry.root.removeIdle()
      limit = max(16, 2 * childCount)
    }
    childCount += 1
    return parent.addChild(link)
  }
}
