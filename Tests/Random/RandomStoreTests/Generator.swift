import TestSupport

/// Draws programs.
struct Generator: ProgramGenerator {
  private(set) var random: Choices
  /// The remaining size of the program.
  var budget: Int
  /// The likelihood of each kind of effect in this program, which differs between programs.
  private(set) var taste: [EffectKind] = [.none, .run]
  /// The likelihood that a step of a run begins a part.
  private var partChance = 0
  private var identifierCount = 0
  private var lastNumber = 0

  init(_ choices: Choices) {
    random = choices
    // Tiny, common and large programs.
    budget = random.pick([6, 30, 30, 120])
    for kind in EffectKind.allCases {
      taste += Array(repeating: kind, count: random.pick([0, 1, 1, 3, 8]))
    }
    partChance = random.pick([0, 10, 50])
    identifierCount = random.pick([2, 2, 2, 30])
  }

  mutating func draw() -> Program {
    var program = Program(stores: [], operations: [])
    while random.another(after: program.stores.count, of: 1...3) {
      var root = feature(depth: 0)
      root.link = .property
      program.stores.append(
        StoreSpec(
          isObservable: random.chance(25), surroundings: overrides(), childOverrides: overrides(),
          root: root))
    }
    let counts = 1...budget / 2 + 1
    while random.another(after: program.operations.count, of: counts) {
      program.operations.append(operation(program.stores))
    }
    return program
  }

  private mutating func feature(depth: Int) -> Feature {
    var feature = Feature(
      kind: random.pick(Feature.Kind.allCases), link: random.pick(Feature.Link.allCases),
      source: random.chance(50) ? .named(overrides()) : .made)
    // A plain environment has no initializer for a pullback to call.
    if feature.kind == .plain { feature.source = .named([:]) }
    let most = [3, 2, 1, 0][min(depth, 3)]
    if budget > 6 {
      while random.another(after: feature.children.count, of: 0...most) {
        feature.children.append(self.feature(depth: depth + 1))
      }
      if depth > 0, random.chance(17) {
        let links: [Feature.Link] = [.optional, .enumCase, .identifiedArray, .dictionary]
        feature.recur(by: random.pick(links), levels: random.pick([1, 2]))
      }
    }
    return feature
  }

  private mutating func operation(_ stores: [StoreSpec]) -> Operation {
    let store = random.number(below: stores.count)
    switch random.number(below: 40) {
    case 0: return random.chance(33) ? .end(store: store) : .readState(store: store)
    case 1: return random.chance(33) ? .drop(store: store) : .readState(store: store)
    case 2..<5: return .advance(random.pick([1, pause / 2, pause, 3 * pause]))
    case 5..<20: return .open(random.number(below: 1000))
    case 20..<23: return .finish(random.number(below: 1000))
    case 23: return .cancelFinish(random.number(below: 1000))
    case 24..<26: return .cancelTask(random.number(below: 1000))
    default:
      let (path, feature) = path(from: stores[store].root)
      return .send(
        store: store, path: path, action(of: feature, depth: 0, mayEcho: !path.isEmpty),
        from: overrides())
    }
  }

  /// A feature below another, at any depth.
  mutating func path(from feature: Feature) -> (path: Path, feature: Feature) {
    guard random.chance(67), !feature.children.isEmpty else { return ([], feature) }
    let child = random.number(below: feature.children.count)
    let link = feature.children[child].link
    let element = link == .identifiedArray || link == .dictionary ? random.number(below: 2) : nil
    let rest = path(from: feature.children[child])
    return ([PathStep(child: child, element: element)] + rest.path, rest.feature)
  }
}

extension Generator {
  mutating func unique() -> Int {
    lastNumber += 1
    return lastNumber
  }

  mutating func overrides() -> Overrides {
    var overrides: Overrides = [:]
    while random.another(after: overrides.count, of: 0...2) {
      overrides[random.number(below: 4)] = 10 + random.number(below: 90)
    }
    return overrides
  }

  mutating func identifier() -> Identifier {
    random.chance(25)
      ? .name(random.number(below: 2)) : .number(random.number(below: identifierCount))
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
    if random.chance(17), !feature.children.isEmpty {
      action.toggledChild = random.number(below: feature.children.count)
    }
    guard budget > 0, depth < 4 else { return action }
    action.effect = effect(Place(feature: feature, depth: depth, isRacing: false))
    if mayEcho, random.chance(25) {
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
    let (path, feature) = random.chance(50) ? path(from: place.feature) : ([], place.feature)
    return SentAction(
      path: path, action: action(of: feature, depth: place.depth + 1, mayEcho: false))
  }

  private mutating func effect(_ place: Place) -> EffectSpec {
    var place = place
    place.depth += 1
    budget -= 1
    guard budget > 0, place.depth < 7 else { return random.chance(50) ? .run(run(place)) : .none }
    var kind = random.pick(taste)
    if place.isRacing, kind.mayNotRace { kind = .run }
    switch kind {
    case .none: return .none
    case .send: return .send(sent(place))
    case .run: return .run(run(place))
    case .map: return .map(effect(place))
    case .concatenate: return concatenate(place)
    case .merge: return merge(place)
    case .cancel: return .cancel(identifier())
    case .cancellable, .cancelInFlight:
      let id = identifier()
      return .cancellable(effect(place), id: id, cancelInFlight: kind == .cancelInFlight)
    case .debounce:
      let id = identifier()
      return .debounce(marked(effect(place.later)), id: id)
    case .throttle:
      let (id, latest) = (identifier(), random.chance(50))
      return .throttle(marked(effect(place.later)), id: id, latest: latest)
    }
  }

  private mutating func merge(_ place: Place) -> EffectSpec {
    var place = place
    if place.isPart { place.isRacing = true }
    // More identifiers than a child remembers without looking which ones it still needs.
    if identifierCount > 20, !place.isRacing, random.chance(33) {
      return .merge((0..<20).map { .throttle(mark(), id: .number($0), latest: random.chance(50)) })
    }
    var effects: [EffectSpec] = []
    while random.another(after: effects.count, of: 1...3) { effects.append(effect(place)) }
    return .merge(effects)
  }

  private mutating func concatenate(_ place: Place) -> EffectSpec {
    var place = place
    // The first steps run when the task starts, concurrently with those of others.
    var effects: [EffectSpec] = random.chance(33) && !place.isRacing ? [.cancel(identifier())] : []
    place.isPart = true
    if random.chance(25) { effects.append(.send(note(isRacing: true))) }
    effects.append(.run(run(place)))
    let before = effects.count
    while random.another(after: effects.count - before, of: 1...3) {
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
    var run = RunSpec(lane: unique(), isStubborn: random.chance(33), caught: nil, steps: [])
    var inside = place
    inside.isRacing = false
    while random.another(after: run.steps.count, of: 1...3) {
      if budget > 0, inside.depth < 7, random.chance(partChance) {
        run.steps.append(RunSpec.Step(part: part(inside)))
        continue
      }
      let action = random.chance(50) ? sent(inside) : nil
      run.steps.append(
        RunSpec.Step(action: action, isOvertaken: action != nil && random.chance(5)))
    }
    // Several runs may end together when their parts are cancelled.
    if random.chance(17) { run.caught = note(isRacing: run.hasParts) }
    return run
  }

  private mutating func part(_ place: Place) -> RunSpec.Part {
    var place = place
    place.depth += 1
    budget -= 1
    var run = run(place)
    run.caught = nil
    return RunSpec.Part(run: run, id: identifier(), cancelInFlight: random.chance(50))
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

extension RunSpec {
  var hasParts: Bool { steps.contains { $0.part != nil } }
}

extension EffectSpec {
  /// Whether a part of it may end by itself, by cancellation or after a time.
  var hasParts: Bool {
    switch self {
    case .none, .send, .cancel: false
    case .run(let run): run.hasParts
    case .merge(let effects), .concatenate(let effects): effects.contains(where: \.hasParts)
    case .map(let effect): effect.hasParts
    case .cancellable, .debounce, .throttle: true
    }
  }
}
