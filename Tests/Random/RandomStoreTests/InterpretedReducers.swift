import ComposableReducers

extension Interpreter {
  /// Reduces an action, and those that arrive meanwhile, in order.
  func receive(
    _ path: Path, _ action: ActionSpec, tags: Int, in flight: ModelFlight, _ store: ModelStore
  ) {
    guard store.isThere else { return }
    wait(
      ModelStore.WaitingAction(path: path, action: action, tags: tags, flight: flight, task: nil),
      store)
    drain(store)
  }

  func wait(_ action: ModelStore.WaitingAction, _ store: ModelStore) {
    action.flight.waitingActions += 1
    store.waiting.append(action)
  }

  func drain(_ store: ModelStore) {
    store.isReducing = true
    while !store.waiting.isEmpty {
      let next = store.waiting.removeFirst()
      if next.task?.isCancelled == true {
        cover("action ignored while it waits")
      } else {
        reduce(next, store)
      }
      if let token = next.task {
        store.sending.removeAll { $0 === token }
        if let sequence = token.sequence {
          sequence.members -= 1
          continueSequence(sequence)
        }
      }
      next.flight.waitingActions -= 1
    }
    store.isReducing = false
    startLaunched()
  }

  func startLaunched() {
    guard !stores.contains(where: \.isReducing) else { return }
    while !launches.isEmpty { launches.removeFirst()() }
  }

  private func reduce(_ waiting: ModelStore.WaitingAction, _ store: ModelStore) {
    let root = store.spec.root
    let environment = ModelEnvironment(
      kind: root.kind, scope: store.spec.surroundings,
      childOverrides: root.kind == .plain ? [:] : store.spec.childOverrides)
    let current = store.spec.surroundings
    var parts: [(EffectSpec, EffectContext)] = []
    func context(_ scope: Overrides, _ path: Path) -> EffectContext {
      EffectContext(
        store: store, scope: scope, path: path, tags: 0, flight: waiting.flight)
    }
    cover("\(root.kind) environment")
    if let scope = reduceOwn(waiting, waiting.path, &store.node, root, environment, current, store)
    {
      parts.append((waiting.action.effect, context(scope, waiting.path)))
    } else {
      cover("missing child")
      prediction.issues += 1
    }
    if !waiting.path.isEmpty {
      record(.passed(store: store.number, action: waiting.action.id))
    }
    if !waiting.path.isEmpty, waiting.action.echo.isSomething {
      record(
        .reduced(
          store: store.number, action: waiting.action.id, isEcho: true, tags: waiting.tags,
          Reading(current), isRacing: false))
      parts.append((waiting.action.echo, context(current, [])))
    }
    for (effect, context) in parts { prepare(effect.normalized, context) }
    endGone(store, by: waiting.flight)
  }

  /// Reduces an action in its feature, and returns the scope that its reducer ran in, if there is
  /// one.
  private func reduceOwn(
    _ waiting: ModelStore.WaitingAction, _ path: Path, _ node: inout Node, _ feature: Feature,
    _ environment: ModelEnvironment, _ current: Overrides, _ store: ModelStore
  ) -> Overrides? {
    let action = waiting.action
    guard let first = path.first else {
      record(
        .reduced(
          store: store.number, action: action.id, isEcho: false, tags: waiting.tags,
          Reading(current), isRacing: action.isRacing))
      if action.isRacing {
        cover("racing action")
        hasRacingActions = true
        node.racing.insert(action.id)
      } else {
        node.log.append(action.id)
      }
      if let child = action.toggledChild {
        hasToggled = true
        node.toggle(child)
      }
      return current
    }
    if action.isRacing { hasRacingActions = true }
    let child = feature.children[first.child]
    let childEnvironment = environment.child(child, current: current)
    let childScope = child.kind == .composable ? childEnvironment.scope : current
    cover("\(child.kind) environment")
    let isMade = if case .made = child.source { true } else { false }
    cover("\(child.link), environment \(isMade ? "made" : "named")")
    if case .same = child.source { cover("recursion") }
    return node.children[first.child].withNode(first.element) { node in
      reduceOwn(
        waiting, Array(path.dropFirst()), &node, child, childEnvironment, childScope, store)
    } ?? nil
  }
}

extension Node {
  /// Whether all features along a path exist.
  func has(_ path: Path) -> Bool {
    guard let first = path.first else { return true }
    var slot = children[first.child]
    return slot.withNode(first.element) { $0.has(Array(path.dropFirst())) } ?? false
  }
}

extension Slot {
  /// Applies a function to the child, if it exists.
  mutating func withNode<Result>(_ element: Int?, _ body: (inout Node) -> Result) -> Result? {
    switch self {
    case .property(var node):
      defer { self = .property(node) }
      return body(&node)
    case .optional(var node?):
      defer { self = .optional(node) }
      return body(&node)
    case .enumCase(.node(var node)):
      defer { self = .enumCase(.node(node)) }
      return body(&node)
    case .identifiedArray(var nodes):
      guard var node = nodes[id: element!] else { return nil }
      defer {
        nodes[id: element!] = node
        self = .identifiedArray(nodes)
      }
      return body(&node)
    case .dictionary(var nodes):
      guard var node = nodes[element!] else { return nil }
      defer {
        nodes[element!] = node
        self = .dictionary(nodes)
      }
      return body(&node)
    case .optional(nil), .enumCase(.nothing): return nil
    }
  }
}
