/// An identifier of the effects of one child.
struct ChildIdentifier: Hashable {
  var path: Path
  var id: Identifier
}

/// A store according to the rules.
final class ModelStore {
  struct Throttle {
    var end: Int
    var next: ModelSequence?
  }

  struct WaitingAction {
    var path: Path
    var action: ActionSpec
    var tags: Int
    var flight: ModelFlight
    /// A token for the effect that sent it.
    var task: ModelTask?
  }

  let number: Int
  let spec: StoreSpec
  var node: Node
  var isThere = true
  var hasEnded = false
  var isReducing = false
  var waiting: [WaitingAction] = []
  var running: [ModelTask] = [] { didSet { if running.isEmpty { wakeWaiters() } } }
  /// The tokens of waiting actions.
  var sending: [ModelTask] = []
  var throttles: [ChildIdentifier: Throttle] = [:]
  private var waiters: [() -> Void] = []

  /// Calls a closure when nothing is running.
  func whenEmpty(_ waiter: @escaping () -> Void) {
    waiters.append(waiter)
    if running.isEmpty { wakeWaiters() }
  }

  /// Calls a closure after those that wait for the end of everything that runs, or immediately.
  func whenEnded(_ waiter: @escaping () -> Void) {
    if waiters.isEmpty { waiter() } else { waiters.append(waiter) }
  }

  private func wakeWaiters() {
    let woken = waiters
    waiters = []
    for waiter in woken { waiter() }
  }

  init(_ number: Int, _ spec: StoreSpec) {
    self.number = number
    self.spec = spec
    node = Node(spec.root, life: nil)
  }
}

/// The environment of a feature: its captured scope, if it has one.
struct ModelEnvironment {
  var kind: Feature.Kind
  var scope: Overrides
  /// The overrides on the child that is derived from it.
  var childOverrides: Overrides = [:]

  /// The environment of a child of the feature whose scope is `current`.
  func child(_ feature: Feature, current: Overrides) -> ModelEnvironment {
    let overrides: Overrides
    switch feature.source {
    case .made: return ModelEnvironment(kind: feature.kind, scope: current)
    case .same: return self
    case .named(let named): overrides = named
    }
    var scope = kind == .plain ? current : self.scope
    if feature.kind == .composable {
      scope.merge(childOverrides) { $1 }
      scope.merge(overrides) { $1 }
    }
    return ModelEnvironment(kind: feature.kind, scope: scope)
  }
}

/// The task of one effect according to the rules.
final class ModelTask {
  let ids: [Identifier]
  let flight: ModelFlight
  let store: ModelStore
  /// The path of the reducer that started it.
  let path: Path
  /// The sequence that it is a part of.
  let sequence: ModelSequence?
  /// The run that it is a part of.
  let run: ModelTask?
  /// How many parts of this run haven't ended.
  var parts = 0
  /// Called when the last part ends, if the run's steps are over.
  var partsEnded: (() -> Void)?
  /// The sequence that it stands for.
  var tokenOf: ModelSequence?
  var isCancelled = false
  /// Whether its child is gone.
  var isGone: Bool
  /// The actions that cancelled it, and wait for its end.
  var cancellers: [ModelFlight] = []
  /// The step in which it starts.
  var launchedIn: Int?
  /// The step in which the end of another task created or continued it, while other things happened.
  var continuedIn: Int?
  /// The handlers to call when the task is cancelled.
  private var cancelHandlers: [Int: () -> Void] = [:]
  private var handlerCount = 0

  init(_ context: EffectContext) {
    ids = context.ids
    flight = context.flight
    path = context.path
    store = context.store
    sequence = context.sequence
    run = context.run
    // The action that removed a run's child has cancelled its later parts, too, so no other action
    // waits for them.
    isGone = context.run?.isGone == true
  }

  /// The innermost sequence or run that it is a part of.
  var owner: ModelTask? { sequence?.token ?? run }

  /// Whether it has an identifier at or below a path, itself or by a run around it, up to those that
  /// are spared.
  func has(_ id: Identifier, below path: Path, sparing spared: [ModelTask]) -> Bool {
    if spared.contains(where: { $0 === self }) { return false }
    return self.path.starts(with: path) && ids.contains(id)
      || run?.has(id, below: path, sparing: spared) == true
  }

  func isPart(of sequence: ModelSequence) -> Bool {
    self.sequence === sequence || run?.isPart(of: sequence) == true
  }

  /// Whether its progress is uncertain during a step.
  func isMoving(in step: Int) -> Bool {
    launchedIn == step || continuedIn == step
  }

  func onCancel(_ handler: @escaping () -> Void) -> Int {
    handlerCount += 1
    cancelHandlers[handlerCount] = handler
    return handlerCount
  }

  func removeHandler(_ number: Int) {
    cancelHandlers[number] = nil
  }

  func runCancelHandlers() {
    for (number, handler) in cancelHandlers.sorted(by: { $0.key < $1.key }) {
      if cancelHandlers.removeValue(forKey: number) != nil { handler() }
    }
  }
}

/// The running effects of one action.
final class ModelFlight {
  var tasks: [ModelTask] = [] { didSet { wakeWaiters() } }
  var waitingActions = 0 { didSet { wakeWaiters() } }
  /// The tasks of others that it has cancelled.
  var cancelled: [ModelTask] = [] { didSet { wakeWaiters() } }
  var isCancelled = false
  private var waiters: [() -> Void] = []

  func whenFinished(_ waiter: @escaping () -> Void) {
    waiters.append(waiter)
    wakeWaiters()
  }

  private func wakeWaiters() {
    guard tasks.isEmpty, waitingActions == 0, cancelled.isEmpty else { return }
    let woken = waiters
    waiters = []
    for waiter in woken { waiter() }
  }
}

/// Parts of an effect that run one after the other, according to the rules.
final class ModelSequence {
  typealias Part = (EffectContext) -> Void

  /// Stands for the sequence among the tasks that can be cancelled.
  let token: ModelTask
  /// The context of the whole sequence.
  let context: EffectContext
  /// The parts that haven't begun.
  var parts: [Part]
  /// How many tasks and actions of the current part haven't ended.
  var members = 0
  var isPreparing = false

  init(_ token: ModelTask, _ context: EffectContext, _ parts: [Part]) {
    self.token = token
    self.context = context
    self.parts = parts
  }
}

/// The context that all parts of an effect share.
struct EffectContext {
  let store: ModelStore
  let scope: Overrides
  /// The path of the reducer that returned the effect.
  let path: Path
  /// How often the actions that it sends are marked.
  var tags: Int
  /// What its tasks, and the actions that they send, belong to.
  let flight: ModelFlight
  var ids: [Identifier] = []
  /// The sequence that the effect is a part of.
  var sequence: ModelSequence?
  /// The run that it is a part of.
  var run: ModelTask?

  func sent(_ action: SentAction, _ task: ModelTask?) -> ModelStore.WaitingAction {
    ModelStore.WaitingAction(
      path: path + action.path, action: action.action, tags: tags, flight: flight, task: task)
  }
}

extension EffectSpec {
  /// The effect as the library sees it: an effect combined from one effect is that effect.
  var normalized: EffectSpec {
    switch self {
    case .none, .send, .run, .cancel: return self
    case .merge(let effects):
      let effects = effects.map(\.normalized).filter(\.isSomething)
      return effects.count > 1 ? .merge(effects) : effects.first ?? .none
    case .concatenate(let effects):
      let effects = effects.map(\.normalized).filter(\.isSomething)
      return effects.count > 1 ? .concatenate(effects) : effects.first ?? .none
    case .map(let effect):
      let effect = effect.normalized
      return effect.isSomething ? .map(effect) : .none
    case .cancellable(let effect, let id, let cancelInFlight):
      let effect = effect.normalized
      return effect.isSomething || cancelInFlight
        ? .cancellable(effect, id: id, cancelInFlight: cancelInFlight) : .none
    case .debounce(let effect, let id): return .debounce(effect.normalized, id: id)
    case .throttle(let effect, let id, let latest):
      let effect = effect.normalized
      return effect.isSomething ? .throttle(effect, id: id, latest: latest) : .none
    }
  }

  var isSomething: Bool {
    if case .none = self { false } else { true }
  }
}
