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
