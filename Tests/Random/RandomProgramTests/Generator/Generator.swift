import StandardDependencies

/// Generates a program from a seed.
struct Generator {
  var random: SplitMix64
  let pool: KeyPool
  let shape: Shape
  let usesProcessStore: Bool
  /// Otherwise, there are environments that tune what they alias.
  ///
  /// After aliases are removed, their reads depend on when a child was created.
  let clearsAliases: Bool
  var budget: Int
  var nextStep = 0
  private var nextVariable = 0
  private var nextStore = 2
  private var nextValue = 10

  static func program(seed: UInt64, canSuspend: Bool = true) -> Program {
    var generator = Generator(seed: seed)
    let store = generator.usesProcessStore ? 0 : 1
    var context = Context(store: store, ownedStores: [store], globalKeys: generator.pool.common)
    context.canSuspend = canSuspend
    var steps = generator.prologue()
    while generator.budget > 0 { steps += generator.block(&context) }
    return Program(seed: seed, usesProcessStore: generator.usesProcessStore, steps: steps)
  }

  /// Whether a seed's program uses the process's store, which it then needs for itself.
  static func usesProcessStore(seed: UInt64) -> Bool { seed % 8 == 0 }

  private init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    // Consecutive seeds should have nothing in common.
    random = SplitMix64(seed: random.next())
    pool = KeyPool(&random)
    shape = Shape(&random)
    clearsAliases = random.chance(50)
    usesProcessStore = Self.usesProcessStore(seed: seed)
    budget = shape.budget
  }

  /// Aliases of keys that environments may set later.
  private mutating func prologue() -> [Step] {
    let keys = pool.common.filter {
      ![EnvironmentType.aliasedKey, EnvironmentType.aliasTarget].contains($0)
        && !pool.aliasedLate.contains($0)
        // A value set by a declaration stays set for all keys that were aliased at that time.
        && !(clearsAliases && $0 == 2)
    }
    return (0..<(random.chance(40) ? random.int(1...3) : 0)).compactMap { _ in alias(among: keys) }
  }

  /// An alias of two keys with the same type of value.
  mutating func alias(among keys: [Int]) -> Step? {
    guard
      let target = keys.filter({ KeyKind($0).canBeRoot }).randomElement(using: &random),
      let key = keys.filter({
        KeyKind($0) != .base && (KeyKind($0) == .object) == (KeyKind(target) == .object)
      }).randomElement(using: &random)
    else { return nil }
    return step(.alias) { $0.keys = [key, target] }
  }

  mutating func block(_ context: inout Context) -> [Step] {
    var steps: [Step] = []
    for _ in 0..<random.int(1...shape.longestBlock) where budget > 0 {
      budget -= 1
      let next = self.next(&context)
      steps += next
      if next.last?.operation == .throwError { break }
      if next.last?.blocks.isEmpty == false, random.chance(60) { steps.append(read(context)) }
    }
    return steps
  }

  /// Returns a step's block, whose variables are known after it.
  mutating func block(
    canSuspend: Bool, in store: Int? = nil, _ context: inout Context
  ) -> [Step] {
    var inner = context
    inner.depth += 1
    inner.canSuspend = canSuspend
    inner.store = store ?? context.store
    let steps = block(&inner)
    context.adoptVariables(of: inner)
    return steps
  }
}

// MARK: - Parts of steps

extension Generator {
  mutating func step(_ operation: Operation, _ fill: (inout Step) -> Void = { _ in }) -> Step {
    nextStep += 1
    var step = Step(id: nextStep, operation: operation)
    step.variant = random.int(0...11)
    fill(&step)
    return step
  }

  mutating func makeVariable() -> Int {
    nextVariable += 1
    return nextVariable
  }

  mutating func makeStore() -> Int {
    nextStore += 1
    return nextStore
  }

  mutating func value() -> Int {
    nextValue += 1
    return nextValue
  }

  mutating func keysToRead() -> [Int] {
    var keys = (0..<random.int(1...3)).map { _ in random.pick(pool.common) }
    if random.chance(15) { keys += (0..<4).map { _ in random.pick(pool.many) } }
    if random.chance(10) { keys.append(random.pick(pool.racing)) }
    return keys
  }

  mutating func read(_ context: Context) -> Step {
    let keys = keysToRead()
    return step(.read) { $0.keys = keys }
  }

  mutating func changes(_ context: Context) -> [Change] {
    var keys = (0..<random.int(1...3)).map { _ in random.pick(pool.common) }
    if random.chance(12) { keys = pool.many }
    return keys.map { key in
      // An incremented value must be known.
      let isIncrement = context.ownsStore && random.chance(8)
      return Change(key: key, value: value(), isIncrement: isIncrement)
    }
  }

  mutating func changes(of keys: [Int]) -> [Change] {
    (0..<random.int(1...2)).map { _ in Change(key: random.pick(keys), value: value()) }
  }

  /// Returns a path from an environment to one that it derives.
  mutating func slots(
    from type: EnvironmentType, count: ClosedRange<Int>, throughSettings: Bool
  ) -> (slots: [Int], type: EnvironmentType) {
    var type = type
    var slots: [Int] = []
    for _ in 0..<random.int(count) {
      let choices = type.slots.indices.filter {
        throughSettings || type.slots[$0].type != .settings
      }
      let slot = random.pick(choices)
      slots.append(slot)
      type = type.slots[slot].type
    }
    return (slots, type)
  }
}
