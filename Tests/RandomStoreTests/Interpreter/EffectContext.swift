/// What is the same for all parts of an effect.
struct EffectContext {
  let store: ModelStore
  let scope: Overrides
  /// Where the reducer that returned the effect is.
  let path: Path
  /// How often the actions that it sends are marked.
  var tags: Int
  /// What its tasks belong to.
  var flight: ModelFlight
  /// What the actions that it sends belong to.
  let sender: ModelFlight
  var ids: [Identifier] = []
  /// Whether the effect is a part of one that a task runs, which owns its closures.
  var isPart = false

  typealias Sent = (path: Path, action: ActionSpec, tags: Int)

  func sent(_ action: SentAction) -> Sent {
    (path + action.path, action.action, tags)
  }
}

extension EffectSpec {
  /// As the library sees it: what is put together of one effect is that effect.
  var normalized: EffectSpec {
    switch self {
    case .none, .send, .run, .cancel: return self
    case .merge(let effects):
      if effects.isEmpty { return .none }
      return effects.count == 1 ? effects[0].normalized : .merge(effects.map(\.normalized))
    case .concatenate(let effects):
      if effects.isEmpty { return .none }
      return effects.count == 1 ? effects[0].normalized : .concatenate(effects.map(\.normalized))
    case .map(let effect):
      let effect = effect.normalized
      return effect.isSomething ? .map(effect) : .none
    case .cancellable(let effect, let id, let cancelInFlight):
      return .cancellable(effect.normalized, id: id, cancelInFlight: cancelInFlight)
    case .debounce(let effect, let id): return .debounce(effect.normalized, id: id)
    case .throttle(let effect, let id, let latest):
      return .throttle(effect.normalized, id: id, latest: latest)
    }
  }

  var isSomething: Bool {
    if case .none = self { false } else { true }
  }

  /// Whether it has ended once it is started.
  var isInstantaneous: Bool {
    switch self {
    case .none, .cancel: true
    case .map(let effect): effect.isInstantaneous
    default: false
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
