import StandardDependencies

/// Draws programs.
struct Generator {
  var numbers: SplitMix64
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
          isObservable: chance(1, in: 4), surroundings: overrides(), childOverrides: overrides(),
          root: root))
    }
    let count = 1 + number(below: budget / 2 + 1)
    for _ in 0..<count { program.operations.append(operation(program.stores)) }
    return program
  }

  private mutating func feature(depth: Int) -> Feature {
    var feature = Feature(
      kind: pick(Feature.Kind.allCases), link: pick(Feature.Link.allCases),
      source: chance(1, in: 2) ? .made : .named(overrides()))
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
    default: return chance(1, in: 3) ? .drop(store: store) : .readState(store: store)
    }
  }

  /// A feature below another, at any depth.
  mutating func path(from feature: Feature) -> (path: Path, feature: Feature) {
    guard !feature.children.isEmpty, chance(2, in: 3) else { return ([], feature) }
    let child = number(below: feature.children.count)
    let link = feature.children[child].link
    let element = link == .identifiedArray || link == .dictionary ? number(below: 2) : nil
    let rest = path(from: feature.children[child])
    return ([PathStep(child: child, element: element)] + rest.path, rest.feature)
  }
}

extension Generator {
  mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }

  mutating func chance(_ favorable: Int, in all: Int) -> Bool { number(below: all) < favorable }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[number(below: values.count)] }

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
    chance(1, in: 4) ? .name(number(below: 2)) : .number(number(below: 2))
  }
}
