import StandardDependencies

/// A program over numbered keys and variables.
struct Program: Sendable {
  let seed: UInt64
  /// Whether it starts over the process's global store rather than its own.
  let usesProcessStore: Bool
  var steps: [Step]

  /// Whether its stores record, apart from the process's.
  var isRecorded: Bool { !usesProcessStore && seed.isMultiple(of: 2) }

  func forEachStep(_ body: (Step) -> Void) {
    func visit(_ steps: [Step]) {
      for step in steps {
        body(step)
        step.blocks.forEach(visit)
      }
    }
    visit(steps)
  }
}

/// One step of a program, and the blocks of steps that it runs.
struct Step: Sendable {
  /// Unique in its program.
  let id: Int
  var operation: Operation
  /// The keys that are read or aliased.
  var keys: [Int] = []
  /// The values that are set.
  var changes: [Change] = []
  /// Selects one of several ways to write the same, or a type or member.
  var variant = 0
  /// The variables that are used.
  ///
  /// If one is undefined, because its definition was skipped, the step does nothing.
  var uses: [Int] = []
  /// The variable that is defined.
  var defines: Int?
  /// The derived environments that lead from the used environment to the intended one.
  var slots: [Int] = []
  var blocks: [[Step]] = []
}

/// A dependency that is set.
struct Change: Sendable {
  var key: Int
  var value: Int
  /// Whether `value` is added to the current value.
  var isIncrement = false
}

/// What a step does.
enum Operation: String, CaseIterable, Sendable {
  case read, readComputed, readScope, readDeclared, readEnvironment, readShared
  case with, withAsync, run, runAsync, carry
  case capture, derive, isolated, declare
  case bind, call, callOnQueue
  case setGlobally, setRacing, setThroughGlobal, alias, clearAliases, reset
  case throwError, catching, catchingAsync
  case asyncLet, group, task, detachedTask, detachedTaskIn, join
  case queueAsync, stream, yield
  case makeEnvironment, overrideEnvironment, setInEnvironment, derivedEnvironment
  case overrideDerived, assignDerived, storeInEnvironment, runEnvironment

  /// Whether it suspends, and so can't be in a synchronous block.
  var isAsync: Bool {
    switch self {
    case .withAsync, .runAsync, .catchingAsync, .callOnQueue, .asyncLet, .group, .join,
      .queueAsync, .stream, .yield:
      true
    default:
      false
    }
  }

  /// Whether its blocks may suspend.
  var hasAsyncBlocks: Bool {
    switch self {
    case .withAsync, .runAsync, .catchingAsync, .asyncLet, .group, .task, .detachedTask,
      .detachedTaskIn:
      true
    default:
      false
    }
  }
}

/// The environments that a program creates, and their declarations.
enum EnvironmentType: Int, CaseIterable, Sendable {
  case feature, screen, leaf, aliasing, aliasingTuned, settings

  /// A derived environment.
  struct Slot: Sendable {
    let type: EnvironmentType
    /// The overrides in its declaration.
    var changes: [Change] = []
    var stored = 0
  }

  /// The keys of the dependencies that it declares.
  var declared: [Int] {
    switch self {
    case .feature: [0, 6, 3]
    case .screen: [1, 7]
    case .leaf: [0, 1, 2, 4]
    case .aliasing, .aliasingTuned: [1, 4]
    case .settings: [0, 1]
    }
  }

  var slots: [Slot] {
    switch self {
    case .feature:
      [
        Slot(type: .screen),
        Slot(
          type: .leaf,
          changes: [Change(key: 0, value: 7001), Change(key: 2, value: 7002)], stored: 7),
        Slot(type: .settings),
      ]
    case .screen: [Slot(type: .feature), Slot(type: .leaf)]
    case .leaf: [Slot(type: .leaf)]
    case .aliasing: [Slot(type: .leaf)]
    case .aliasingTuned:
      [Slot(type: .leaf, changes: [Change(key: 1, value: 7003)])]
    case .settings: [Slot(type: .leaf)]
    }
  }

  /// Whether it aliases ``aliasedKey`` to ``aliasTarget``, with its derived environment.
  var declaresAlias: Bool { self == .aliasing || self == .aliasingTuned }

  static let aliasedKey = 1
  static let aliasTarget = 4
}

/// Identifies a read of a run.
struct ReadID: Hashable, Comparable, Sendable {
  /// The calls of closures that led to the step.
  var path: UInt64
  var step: Int
  /// Which of the step's reads.
  var index: Int

  static func < (lhs: ReadID, rhs: ReadID) -> Bool {
    (lhs.path, lhs.step, lhs.index) < (rhs.path, rhs.step, rhs.index)
  }

  /// Which read says what instance another read has found.
  static func instance(_ index: Int) -> Int { 10_000 + index }

  /// Which read says what was recorded of another read.
  static func recorded(_ index: Int) -> Int { 20_000 + index }

  /// Which read says how another read is explained.
  static func explained(_ index: Int) -> Int { 30_000 + index }

  /// Which read says where the override that another read has found was set.
  static func place(_ index: Int) -> Int { 40_000 + index }

  /// The path of what a step calls.
  static func path(_ path: UInt64, calling step: Step) -> UInt64 {
    var random = SplitMix64(seed: path ^ UInt64(step.id))
    return random.next()
  }
}
