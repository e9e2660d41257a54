import StandardDependencies
import TestSupport

/// Draws programs.
struct Generator {
  var random: Choices
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

  static func program(_ choices: inout Choices, canSuspend: Bool = true) -> Program {
    var generator = Generator(choices)
    defer { choices = generator.random }
    let store = generator.usesProcessStore ? 0 : 1
    var context = Context(store: store, ownedStores: [store], globalKeys: generator.pool.common)
    context.canSuspend = canSuspend
    var steps = generator.prologue()
    while generator.budget > 0 { steps += generator.block(&context) }
    return Program(seed: choices.seed, usesProcessStore: generator.usesProcessStore, steps: steps)
  }

  /// Whether a seed's program uses the process's store, which it then needs for itself.
  static func usesProcessStore(seed: UInt64) -> Bool { seed % 8 == 0 }

  private init(_ choices: Choices) {
    random = choices
    pool = KeyPool(seed: choices.seed)
    shape = Shape(&random)
    clearsAliases = random.chance(50)
    usesProcessStore = Self.usesProcessStore(seed: choices.seed)
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
    let count = random.chance(40) ? random.pick(1...3) : 0
    return (0..<count).compactMap { _ in alias(among: keys) }
  }

  /// An alias of two keys with the same type of value.
  mutating func alias(among keys: [Int]) -> Step? {
    guard
      let target = random.pick(ifAny: keys.filter { KeyKind($0).canBeRoot }),
      let key = random.pick(
        ifAny: keys.filter {
          KeyKind($0) != .base && (KeyKind($0) == .object) == (KeyKind(target) == .object)
        })
    else { return nil }
    return step(.alias) { $0.keys = [key, target] }
  }

  mutating func block(_ context: inout Context) -> [Step] {
    var steps: [Step] = []
    var count = 0
    while budget > 0, random.another(after: count, of: 1...shape.longestBlock) {
      budget -= 1
      count += 1
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
    step.variant = random.number(below: 12)
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
    var keys = (0..<random.pick(1...3)).map { _ in random.pick(pool.common) }
    if random.chance(15) { keys += (0..<4).map { _ in random.pick(pool.many) } }
    if random.chance(10) { keys.append(random.pick(pool.racing)) }
    return keys
  }

  mutating func read(_ context: Context) -> Step {
    let keys = keysToRead()
    return step(.read) { $0.keys = keys }
  }

  mutating func changes(_ context: Context) -> [Change] {
    var keys = (0..<random.pick(1...3)).map { _ in random.pick(pool.common) }
    if random.chance(12) { keys = pool.many }
    return keys.map { key in
      // An incremented value must be known.
      let isIncrement = context.ownsStore && random.chance(8)
      return Change(key: key, value: value(), isIncrement: isIncrement)
    }
  }

  mutating func changes(of keys: [Int]) -> [Change] {
    (0..<random.pick(1...2)).map { _ in Change(key: random.pick(keys), value: value()) }
  }

  /// Returns a path from an environment to one that it derives.
  mutating func slots(
    from type: EnvironmentType, count: ClosedRange<Int>, throughSettings: Bool
  ) -> (slots: [Int], type: EnvironmentType) {
    var type = type
    var slots: [Int] = []
    for _ in 0..<random.pick(count) {
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

/// What the generator knows about the place of a step.
struct Context {
  var canSuspend = true
  var depth = 0
  /// The store of the current scope.
  var store: Int
  /// The stores that no concurrent task touches.
  var ownedStores: Set<Int>
  /// The keys that are set globally here, but not concurrently.
  var globalKeys: [Int]
  /// Whether unawaited tasks may be running from here on.
  var hasStrayTasks = false

  var scopes: [(variable: Int, store: Int)] = []
  var closures: [Int] = []
  var declared: [Int] = []
  var environments: [(variable: Int, type: EnvironmentType, store: Int)] = []
  var tasks: [Int] = []

  /// Takes over the variables of a block that has ended.
  mutating func adoptVariables(of ended: Context) {
    scopes = ended.scopes
    closures = ended.closures
    declared = ended.declared
    environments = ended.environments
    tasks = ended.tasks
    if ended.hasStrayTasks { loseOwnership() }
  }

  mutating func loseOwnership() {
    hasStrayTasks = true
    ownedStores = []
  }

  var ownsStore: Bool { ownedStores.contains(store) }
}

/// The size and nesting of a program.
struct Shape {
  var budget: Int
  var longestBlock: Int
  var deepest: Int
  /// The percentage of steps with blocks, as far as the depth allows.
  var nesting: Int
  var mostChildren: Int

  init(_ random: inout Choices) {
    switch random.number(below: 10) {
    case 0...2:
      self.init(budget: random.pick(1...6), longestBlock: 4, deepest: 3, nesting: 40, children: 2)
    case 3...6:
      self.init(budget: random.pick(8...32), longestBlock: 8, deepest: 6, nesting: 35, children: 3)
    case 7...8:
      let depth = random.pick([8, 16, 17, 32, 48])
      self.init(budget: depth * 2, longestBlock: 3, deepest: depth, nesting: 75, children: 2)
    default:
      self.init(budget: 60, longestBlock: 12, deepest: 3, nesting: 30, children: 24)
    }
  }

  private init(budget: Int, longestBlock: Int, deepest: Int, nesting: Int, children: Int) {
    self.budget = budget
    self.longestBlock = longestBlock
    self.deepest = deepest
    self.nesting = nesting
    self.mostChildren = children
  }
}

/// The keys of a program, by purpose.
struct KeyPool {
  /// The keys of most steps: few, so that steps interact.
  var common: [Int]
  /// Enough keys to make the tables of a scope grow.
  var many: [Int]
  /// The keys that concurrent tasks set in no particular order.
  let racing = [8, 16, 24]
  /// The keys that may be aliased at any time; environments don't set them.
  var aliasedLate: [Int]
  /// The keys that environments set.
  var ownable: [Int]

  static let adversarialCounts = [
    1, 3, 4, 6, 7, 8, 9, 12, 13, 15, 16, 17, 24, 25, 31, 32, 33, 48, 49, 63, 64, 65, 96, 97, 127,
    128, 129, 192, 193, 255, 256, 257,
  ]

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let racing = Set(racing)
    let all = (0..<Key.count).filter { !racing.contains($0) }
    // A default is interesting only together with the keys that it reads.
    let start = random.number(below: 4) * 8
    common = Array(start..<start + 8).filter { !racing.contains($0) }
    common += (0..<8).filter { _ in random.chance(50) }
    common += (0..<random.number(below: 7)).map { _ in random.pick(all) }
    common = Array(Set(common)).sorted()
    let isLarge = random.chance(25)
    let counts = isLarge ? Self.adversarialCounts : Self.adversarialCounts.filter { $0 < 34 }
    many = Array(all.shuffled(using: &random).prefix(random.pick(counts)))
    let declared: Set = [0, 2, EnvironmentType.aliasedKey, EnvironmentType.aliasTarget]
    let shuffled = common.filter { !declared.contains($0) }.shuffled(using: &random)
    aliasedLate = Array(shuffled.prefix(shuffled.count / 2)).sorted()
    ownable = [0, 2] + shuffled.dropFirst(shuffled.count / 2).sorted()
  }
}
