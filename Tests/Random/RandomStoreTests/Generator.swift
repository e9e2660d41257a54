import StandardDependencies
import TestSupport

/// Draws programs.
struct Generator: RandomNumberGenerator {
  private var numbers: SplitMix64
  /// The remaining size of the program.
  var budget: Int
  /// The likelihood of each kind of effect in this program, which differs between programs.
  private(set) var taste: [EffectKind] = []
  private var lastNumber = 0

  static func program(seed: UInt64) -> Program {
    var generator = Generator(numbers: SplitMix64(seed: seed))
    return generator.program()
  }

  private init(numbers: SplitMix64) {
    self.numbers = numbers
    budget = 0
    // Tiny, common and large programs.
    budget = [6, 30, 30, 120][number(below: 4)]
    for kind in EffectKind.allCases {
      taste += Array(repeating: kind, count: pick([0, 1, 1, 3, 8]))
    }
    taste.append(.run)
  }

  private mutating func program() -> Program {
    var program = Program(stores: [], operations: [])
    for _ in 0...number(below: 2) {
      var root = feature(depth: 0)
      root.link = .property
      program.stores.append(
        StoreSpec(
          isObservable: chance(25), surroundings: overrides(), childOverrides: overrides(),
          root: root))
    }
    let count = 1 + number(below: budget / 2 + 1)
    for _ in 0..<count { program.operations.append(operation(program.stores)) }
    return program
  }

  private mutating func feature(depth: Int) -> Feature {
    var feature = Feature(
      kind: pick(Feature.Kind.allCases), link: pick(Feature.Link.allCases),
      source: chance(50) ? .made : .named(overrides()))
    // A plain environment has no initializer for a pullback to call.
    if feature.kind == .plain { feature.source = .named([:]) }
    let most = [3, 2, 1, 0][min(depth, 3)]
    if budget > 6 {
      for _ in 0..<number(below: most + 1) {
        feature.children.append(self.feature(depth: depth + 1))
      }
    }
    return feature
  }

  private mutating func operation(_ stores: [StoreSpec]) -> Operation {
    let store = number(below: stores.count)
    switch number(below: 40) {
    case 0..<14:
      let (path, feature) = path(from: stores[store].root)
      return .send(
        store: store, path: path, action(of: feature, depth: 0, mayEcho: !path.isEmpty),
        from: overrides())
    case 14..<29: return .open(number(below: 1000))
    case 29..<31: return .cancelTask(number(below: 1000))
    case 31..<34: return .finish(number(below: 1000))
    case 34: return .cancelFinish(number(below: 1000))
    case 35..<38: return .advance([1, pause / 2, pause, 3 * pause][number(below: 4)])
    case 38: return .readState(store: store)
    default: return chance(33) ? .drop(store: store) : .readState(store: store)
    }
  }

  /// A feature below another, at any depth.
  mutating func path(from feature: Feature) -> (path: Path, feature: Feature) {
    guard !feature.children.isEmpty, chance(67) else { return ([], feature) }
    let child = number(below: feature.children.count)
    let link = feature.children[child].link
    let element = link == .identifiedArray || link == .dictionary ? number(below: 2) : nil
    let rest = path(from: feature.children[child])
    return ([PathStep(child: child, element: element)] + rest.path, rest.feature)
  }
}

extension Generator {
  mutating func next() -> UInt64 { numbers.next() }

  mutating func unique() -> Int {
    lastNumber += 1
    return lastNumber
  }

  mutating func overrides() -> Overrides {
    var overrides: Overrides = [:]
    for _ in 0..<pick([0, 1, 1, 2]) { overrides[number(below: 4)] = 10 + number(below: 90) }
    return overrides
  }

  mutating func identifier() -> Identifier {
    chance(25) ? .name(number(below: 2)) : .number(number(below: 2))
  }
}

extension Generator {
  /// The place of an effect, which determines which of its events have an order.
  private struct Place {
    var feature: Feature
    var depth: Int
    /// Whether other effects may act here concurrently.
    ///
    /// Then their order must not matter: actions sent here have no effects themselves, and nothing
    /// here cancels anything.
    var isRacing: Bool
    /// Whether the effect is a part of one that has already started.
    var isPart = false

    /// The place of work that runs after some time.
    var later: Place {
      var later = self
      later.isRacing = true
      later.isPart = true
      return later
    }
  }

  mutating func action(of feature: Feature, depth: Int, mayEcho: Bool) -> ActionSpec {
    budget -= 1
    var action = ActionSpec(id: unique())
    if !feature.children.isEmpty, chance(17) {
      action.toggledChild = number(below: feature.children.count)
    }
    guard budget > 0, depth < 4 else { return action }
    action.effect = effect(Place(feature: feature, depth: depth, isRacing: false))
    if mayEcho, chance(25) {
      let place = Place(
        feature: Feature(kind: .plain, link: .property, source: .made), depth: depth + 1,
        isRacing: false)
      action.echo = effect(place)
    }
    return action
  }

  /// An action without effects.
  private mutating func note(isRacing: Bool) -> SentAction {
    SentAction(action: ActionSpec(id: unique(), isRacing: isRacing))
  }

  private mutating func sent(_ place: Place) -> SentAction {
    guard !place.isRacing else { return note(isRacing: true) }
    let (path, feature) = chance(50) ? path(from: place.feature) : ([], place.feature)
    return SentAction(
      path: path, action: action(of: feature, depth: place.depth + 1, mayEcho: false))
  }

  private mutating func effect(_ place: Place) -> EffectSpec {
    var place = place
    place.depth += 1
    budget -= 1
    guard budget > 0, place.depth < 7 else { return chance(50) ? .none : .run(run(place)) }
    var kind = pick(taste)
    if place.isRacing, kind.mayNotRace { kind = .run }
    switch kind {
    case .none: return .none
    case .send: return .send(sent(place))
    case .run: return .run(run(place))
    case .map: return .map(effect(place))
    case .concatenate: return concatenate(place)
    case .merge: return merge(place)
    case .cancellable:
      return .cancellable(effect(place), id: identifier(), cancelInFlight: false)
    case .cancelInFlight:
      return .cancellable(effect(place), id: identifier(), cancelInFlight: true)
    case .cancel: return .cancel(identifier())
    case .debounce: return .debounce(marked(effect(place.later)), id: identifier())
    case .throttle:
      return .throttle(
        marked(effect(place.later)), id: identifier(), latest: chance(50))
    }
  }

  private mutating func merge(_ place: Place) -> EffectSpec {
    var place = place
    if place.isPart { place.isRacing = true }
    return .merge((0..<(1 + number(below: 3))).map { _ in effect(place) })
  }

  private mutating func concatenate(_ place: Place) -> EffectSpec {
    var place = place
    // The first steps run when the task starts, concurrently with those of others.
    var effects: [EffectSpec] = chance(33) && !place.isRacing ? [.cancel(identifier())] : []
    place.isPart = true
    if chance(25) { effects.append(.send(note(isRacing: true))) }
    effects.append(.run(run(place)))
    for _ in 0..<(1 + number(below: 3)) {
      let next = effect(place)
      effects.append(next)
      // Several parts may end together when they are cancelled.
      if next.hasParts { place.isRacing = true }
    }
    effects.append(mark())
    return .concatenate(effects)
  }

  private mutating func marked(_ effect: EffectSpec) -> EffectSpec {
    .merge([mark(), effect])
  }

  /// A run without steps, which marks the end of an unobservable previous step.
  private mutating func mark() -> EffectSpec {
    .run(RunSpec(lane: unique(), isStubborn: false, caught: nil, steps: []))
  }

  private mutating func run(_ place: Place) -> RunSpec {
    var run = RunSpec(lane: unique(), isStubborn: chance(33), caught: nil, steps: [])
    var inside = place
    inside.isRacing = false
    for _ in 0..<pick([1, 1, 2, 3]) {
      let action = chance(50) ? sent(inside) : nil
      run.steps.append(
        RunSpec.Step(action: action, isOvertaken: action != nil && chance(5)))
    }
    if chance(17) { run.caught = note(isRacing: false) }
    return run
  }
}

enum EffectKind: CaseIterable {
  case none, send, run, map, concatenate, merge, cancellable, cancelInFlight, cancel, debounce,
    throttle

  /// Whether the order of one of these and another event matters.
  var mayNotRace: Bool {
    switch self {
    case .cancelInFlight, .cancel, .debounce, .throttle: true
    default: false
    }
  }
}

extension EffectSpec {
  /// Whether a part of it may end by itself, by cancellation or after a time.
  var hasParts: Bool {
    switch self {
    case .none, .send, .run, .cancel: false
    case .merge(let effects), .concatenate(let effects): effects.contains(where: \.hasParts)
    case .map(let effect): effect.hasParts
    case .cancellable, .debounce, .throttle: true
    }
  }
}
