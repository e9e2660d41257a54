/// Starts the effects of one store, and decides what they cancel.
///
/// Used only in the store's isolation, where a cancellation comes either before or after an action.
final class EffectScheduler {
  /// Enqueues an action that an effect sends without doing any work.
  typealias Enqueue = (any Sendable, RunningEffect) -> Void

  private enum Step {
    case prepare(EffectNode, EffectContext)
    /// Start the next part of a sequence, if nothing of it is running.
    case goOn(RunningEffect)
  }

  let registry: EffectRegistry
  /// The parts of each sequence that haven't begun, the next one last.
  private var sequences: [Int: [EffectNode]] = [:]
  private var throttles = Throttles()
  /// Effects that are registered, so that they can be cancelled, but not started yet.
  private var launches: [(RunningEffect, EffectRun)] = []

  init(_ registry: EffectRegistry) {
    self.registry = registry
  }

  /// Whether there is no known effect.
  var isEmpty: Bool { registry.isEmpty && sequences.isEmpty && launches.isEmpty }

  /// Prepares all parts of an effect that can start now; one part may cancel another.
  func prepare(_ node: EffectNode, in context: EffectContext, enqueue: Enqueue) {
    // The most common effect.
    if case .run(let run) = node.kind { return launch(run, context) }
    perform(.prepare(node, context), enqueue)
  }

  /// Prepares the next part of a sequence.
  func goOn(_ sequence: RunningEffect, enqueue: Enqueue) {
    perform(.goOn(sequence), enqueue)
  }

  /// Starts what is prepared.
  func start() {
    // Starting runs no code of a user, so nothing is added meanwhile.
    for (effect, run) in launches { effect.start(run) }
    launches.removeAll(keepingCapacity: launches.count <= 64)
  }

  private func perform(_ first: Step, _ enqueue: Enqueue) {
    var steps = [first]
    // Sequences that are parts of others, which go on when everything else is prepared.
    var ended: [RunningEffect] = []
    while let step = steps.popLast() ?? ended.popLast().map(Step.goOn) {
      switch step {
      case .prepare(let node, let context):
        prepare(node, context, &steps, enqueue)
      case .goOn(let sequence):
        guard registry.isEmpty(.part(of: sequence.number)) else { continue }
        if !sequence.isCancelled, let node = sequences[sequence.number]?.popLast() {
          var context = sequence.context
          context.joinPart(of: sequence)
          // Once more, because the part may have nothing to run.
          steps += [.goOn(sequence), .prepare(node, context)]
        } else {
          sequences[sequence.number] = nil
          if let outer = registry.remove(sequence) { ended.append(outer) }
        }
      }
    }
  }

  private func prepare(
    _ node: EffectNode, _ context: EffectContext, _ steps: inout [Step], _ enqueue: Enqueue
  ) {
    var context = context
    switch node.kind {
    case .run(let run):
      launch(run, context)
    case .send(let action):
      enqueue(context.maps.apply(action), registry.add(context))
    case .merge(let nodes):
      for node in nodes.reversed() { steps.append(.prepare(node, context)) }
    case .concatenate(let nodes):
      steps.append(.goOn(begin(nodes, context)))
    case .mapped(let inner, let map):
      context.maps.append(map)
      steps.append(.prepare(inner, context))
    case .ofChild(let inner, let link):
      context.links.append(link)
      if link.mayGo { context.joinChild() }
      steps.append(.prepare(inner, context))
    case .scoped(let inner, let scope):
      context.scope = scope
      steps.append(.prepare(inner, context))
    case .cancel(let ids):
      for id in ids { registry.cancel(id) }
    case .cancellable(let inner, let id, let cancelInFlight):
      if cancelInFlight { registry.cancel(id, sparing: context.parent) }
      context.join(.id(id))
      steps.append(.prepare(inner, context))
    case .throttled(let inner, let throttling, let hasWaited):
      context.join(.id(throttling.id))
      if hasWaited {
        throttles.openInterval(throttling, after: context.sequence)
      } else {
        switch throttles.decide(throttling) {
        case .runsNow: break
        case .isDropped: return
        case .waits(let interval, let replaced):
          let pause = EffectRun(at: throttling.place) { _ in await interval.waitForEnd() }
          let later = EffectNode(.throttled(inner, throttling, hasWaited: true))
          let sequence = begin([EffectNode(.run(pause)), later], context)
          throttles.wait(sequence, throttling, interval)
          if let replaced { registry.cancel(replaced) }
          return steps.append(.goOn(sequence))
        }
      }
      steps.append(.prepare(inner, context))
    }
  }

  private func launch(_ run: EffectRun, _ context: EffectContext) {
    let effect = registry.add(context, run)
    if let supervisor = registry.supervisor, let cause = context.cause {
      supervisor.willStart(
        ObjectIdentifier(effect), of: EffectOrigin(action: cause(), place: run.place))
    }
    launches.append((effect, run))
  }

  private func begin(_ parts: [EffectNode], _ context: EffectContext) -> RunningEffect {
    let sequence = registry.add(context)
    sequences[sequence.number] = parts.reversed()
    return sequence
  }
}
