/// The context that all parts of an effect share.
struct EffectContext {
  let store: ModelStore
  let scope: Overrides
  /// The path of the reducer that returned the effect.
  let path: Path
  /// How often the actions that it sends are marked.
  var tags: Int
  /// The flight that its tasks belong to.
  var flight: ModelFlight
  /// The flight that the actions it sends belong to.
  let sender: ModelFlight
  var ids: [Identifier] = []
  /// The task that the effect is a part of, if it is one; it owns the effect's closures.
  var whole: ModelTask?

  var isPart: Bool { whole != nil }

  func sent(_ action: SentAction, _ task: ModelTask?) -> ModelStore.WaitingAction {
    ModelStore.WaitingAction(
      path: path + action.path, action: action.action, tags: tags, flight: sender, task: task)
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

  /// Whether it ends as soon as it starts.
  var isInstantaneous: Bool {
    switch self {
    case .none, .send, .cancel: true
    case .merge(let effects), .concatenate(let effects): effects.allSatisfy(\.isInstantaneous)
    case .map(let effect), .cancellable(let effect, _, _): effect.isInstantaneous
    case .run, .debounce, .throttle: false
    }
  }

  /// The runs in it, without those of the actions that it sends.
  var lanes: [Int] {
    switch self {
    case .none, .send, .cancel: []
    case .run(let run): [run.lane]
    case .merge(let effects), .concatenate(let effects): effects.flatMap(\.lanes)
    case .map(let effect), .debounce(let effect, _), .throttle(let effect, _, _): effect.lanes
    case .cancellable(let effect, _, _): effect.lanes
    }
  }
}
