/// Starts the effects of one store, and decides what they cancel.
///
/// Used only in the store's isolation, where a cancellation comes either before or after an action.
@usableFromInline
final class EffectStarter {
  /// An action that an effect sends without doing any work.
  struct SentAction {
    let action: any Sendable
    let flight: Flight
    /// Knows whether the effect has been cancelled since.
    let task: EffectTask?
    /// Whether the task is only a token, which ends with the action.
    let isToken: Bool
  }

  /// Tasks that are registered, so that they can be cancelled, but not started yet.
  struct Launches {
    private var first: EffectTask?
    private var others: [EffectTask] = []

    mutating func append(_ task: EffectTask) {
      if first == nil { first = task } else { others.append(task) }
    }

    mutating func reserveCapacity(_ count: Int) {
      others.reserveCapacity(count)
    }

    /// Starts the tasks.
    ///
    /// - Parameter scope: The store's scope, which most tasks have. It is entered once for all of them.
    consuming func start(in scope: DependencyScope) {
      guard let first else { return }
      let others = others
      scope.run {
        let current = BorrowedScope(scope)
        first.start(from: current)
        for task in others { task.start(from: current) }
      }
    }
  }

  /// An effect that is yet to be started, and where.
  private struct Pending {
    var node: EffectNode
    var context: EffectContext
    var owner: EffectOwner
  }

  let runner: EffectRunner
  /// Owns the effects of the root's reducer.
  let root = EffectOwner()
  private var identified: [EffectID: IdentifiedEffects] = [:]
  private var throttles = Throttles()
  /// Groups to forget if they are empty.
  private var unused: [EffectGroup] = []

  @usableFromInline
  init(_ runner: EffectRunner) {
    self.runner = runner
  }

  /// Whether some effects depend on a child's state.
  @usableFromInline var hasOwners: Bool { root.hasChildren }

  /// Whether there is no known effect.
  var isEmpty: Bool {
    forgetEmptyGroups()
    return identified.isEmpty && !root.hasChildren && runner.isEmpty
  }

  /// Prepares all parts of an effect.
  ///
  /// One part may cancel another. `send` receives the actions that the effect sends without doing
  /// any work.
  func prepare(
    _ node: EffectNode, in context: EffectContext, sending send: (SentAction) -> Void
  ) -> Launches {
    forgetEmptyGroups()
    var launches = Launches()
    if node.run != nil {
      // The most common effect.
      launches.append(register(node, context))
      return launches
    }
    var pending = Pending(node: node, context: context, owner: root)
    var rest: [Pending] = []
    while true {
      if prepare(&pending, &rest, &launches, send) { continue }
      guard let next = rest.popLast() else { return launches }
      pending = next
    }
  }

  /// Cancels the effects that run under an identifier.
  func cancel(_ id: EffectID) {
    identified[id]?.cancel()
  }

  /// Makes an operation within an effect cancellable with an identifier.
  func register(_ task: EffectTask, _ id: EffectID, cancelInFlight: Bool) {
    forgetEmptyGroups()
    let group = effects(id)
    if cancelInFlight { group.cancel(exceptWholesOf: task) }
    task.join([group])
  }

  /// Opens the interval that starts with a waiting effect.
  func openInterval(_ task: EffectTask, _ id: EffectID, _ throttling: Throttling) {
    throttles.openInterval(task, id, throttling)
  }
}

extension EffectStarter {
  /// Prepares one part.
  ///
  /// Returns whether its replacement must be prepared next.
  private func prepare(
    _ pending: inout Pending, _ rest: inout [Pending], _ launches: inout Launches,
    _ send: (SentAction) -> Void
  ) -> Bool {
    if pending.node.run != nil {
      launches.append(register(pending.node, pending.context))
      return false
    }
    switch pending.node.kind {
    case .send(let action):
      let context = pending.context
      send(
        SentAction(
          action: context.maps.apply(action), flight: context.actionFlight, task: token(context),
          isToken: true))
      return false
    case .merge(let nodes):
      // Most are of operations only, and need no list of what is left to do.
      let context = pending.context
      launches.reserveCapacity(nodes.count)
      context.flight.reserveCapacity(nodes.count)
      var start = nodes.startIndex
      while start < nodes.endIndex, nodes[start].run != nil {
        launches.append(register(nodes[start], context))
        start += 1
      }
      postpone(nodes[start...], of: pending, to: &rest)
      return false
    case .mapped(let inner, let map):
      pending.context.maps.append(map)
      pending.node = inner
    case .scoped(let inner, let scope):
      pending.context.scope = scope
      pending.node = inner
    case .owned(let inner, let ownership):
      let (owner, isNew) = ownership.owner(below: pending.owner)
      if isNew { unused.append(owner) }
      pending.owner = owner
      pending.context.groups.append(owner)
      pending.node = inner
    case .cancel(let ids):
      for id in ids { cancel(id) }
      return false
    case .cancellable(let inner, let id, let cancelInFlight):
      let group = effects(id)
      if cancelInFlight { group.cancel(exceptWholesOf: pending.context.whole) }
      pending.context.groups.append(group)
      pending.node = inner
    case .throttled(let inner, let id, let throttling):
      pending.context.groups.append(effects(id))
      pending.node = inner
      return runsNow(inner, id, throttling, pending.context, &launches)
    case .run:
      return false
    case .concatenate(let nodes):
      // Process the instantaneous parts now, so that they come before anything that is sent later.
      let start = nodes.firstIndex { !$0.isInstantaneous } ?? nodes.endIndex
      let later = Array(nodes[start...])
      if later.count <= 1 {
        postpone(nodes[...], of: pending, to: &rest)
      } else if start > 0 {
        postpone([EffectNode(.concatenate(later))], of: pending, to: &rest)
        postpone(nodes[..<start], of: pending, to: &rest)
      } else {
        launches.append(register(pending.node, pending.context))
      }
      return false
    }
    return true
  }

  /// Makes these parts the next to prepare, in order.
  private func postpone(
    _ nodes: ArraySlice<EffectNode>, of pending: Pending, to rest: inout [Pending]
  ) {
    for node in nodes.reversed() {
      rest.append(Pending(node: node, context: pending.context, owner: pending.owner))
    }
  }

  /// Whether a throttled effect runs immediately; otherwise it waits, or never runs.
  private func runsNow(
    _ node: EffectNode, _ id: EffectID, _ throttling: Throttling, _ context: EffectContext,
    _ launches: inout Launches
  ) -> Bool {
    let decision = throttles.decide(id, throttling) { interval in
      EffectTask(context, .wait(EffectWait(interval, id, throttling, node)))
    }
    switch decision {
    case .runsNow:
      return true
    case .waits(let task):
      register(task, of: node)
      launches.append(task)
    case .isDropped:
      break
    }
    return false
  }

  private func register(_ node: EffectNode, _ context: EffectContext) -> EffectTask {
    let task = EffectTask(context, .perform(node))
    register(task, of: node)
    return task
  }

  private func register(_ task: EffectTask, of node: EffectNode) {
    task.register()
    if let supervisor = runner.supervisor, let cause = task.context.cause {
      supervisor.willStart(
        ObjectIdentifier(task), of: EffectOrigin(action: cause.action, places: node.places)
      ) { [weak task] in task?.abandon() }
    }
  }

  /// Returns a token for an action that an effect sent, if something can cancel that effect.
  private func token(_ context: EffectContext) -> EffectTask? {
    if context.groups.isEmpty { return nil }
    let token = EffectTask(context, .nothing)
    token.join(context.groups)
    return token
  }

  private func effects(_ id: EffectID) -> IdentifiedEffects {
    if let effects = identified[id] { return effects }
    let effects = IdentifiedEffects(id, self)
    identified[id] = effects
    unused.append(effects)
    return effects
  }

  private func forgetEmptyGroups() {
    let emptied = runner.takeEmptied()
    if emptied.isEmpty, unused.isEmpty { return }
    let groups = emptied + unused
    unused = []
    for group in groups where group.isEmpty { group.forget() }
  }

  /// The effects that run under one identifier.
  // Unchecked, because of the starter. Only the starter calls `forget`, in the store's isolation.
  private final class IdentifiedEffects: EffectGroup, @unchecked Sendable {
    private let id: EffectID
    private unowned let starter: EffectStarter

    init(_ id: EffectID, _ starter: EffectStarter) {
      self.id = id
      self.starter = starter
      super.init()
    }

    override func forget() {
      if starter.identified[id] === self { starter.identified[id] = nil }
    }
  }
}
