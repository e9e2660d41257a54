internal import StandardDependencies
internal import TestRuntime

/// Each job with the same probability; three times out of four, a running one goes on, and a call
/// succeeds.
struct UniformOrder: Strategy {
  var numbers: SplitMix64

  mutating func choose(among ready: inout Arrivals<ReadyEntries.Entry>, plain: Int) -> Int {
    if plain > 0, numbers.next(below: 4) > 0 { return plain }
    return Int(numbers.next(below: UInt64(ready.count)))
  }

  mutating func outcome(of width: Int) -> Int {
    numbers.next(below: 4) > 0 ? 0 : Int(numbers.next(below: UInt64(width)))
  }
}

/// Runs the task with the highest priority, and lowers that priority at a few random places, where a
/// call fails, too.
///
/// This is probabilistic concurrency testing (Burckhardt and others, 2010). It finds an ordering
/// bug that needs d switches among n tasks and k choices with a probability of at least
/// 1/(n·k^(d-1)).
struct RandomPriorities: Strategy {
  private var numbers: SplitMix64
  /// The priorities of the tasks by their numbers; 0 for none yet.
  private var priorities: [UInt64] = []
  /// The choices at which the running task loses its priority.
  private var changes: [Int] = []
  private var choice = 0
  private var lowest = UInt64.max / 2
  private var last: Int?
  private var repetitions = 0

  /// How often a task runs in a row while others are ready, because it may be spinning.
  private static let limit = 200
  /// After this many choices by priority, the oldest jobs run for some choices: two tasks that run in turns would
  /// otherwise starve a third one that stops them.
  private static let (choicesByPriority, choicesByAge) = (1_000, 200)

  init(seed: UInt64, depth: Int, choices: Int) {
    numbers = SplitMix64(seed: seed)
    for _ in 0..<depth { changes.append(Int(numbers.next(below: UInt64(max(choices, 1))))) }
  }

  mutating func priority(of task: Int) -> UInt64 {
    while priorities.count <= task { priorities.append(0) }
    if priorities[task] == 0 {
      // In the upper half, so that a task with a lowered priority stays below all others.
      priorities[task] = numbers.next() | (1 << 63)
    }
    return priorities[task]
  }

  mutating func choose(among ready: inout Arrivals<ReadyEntries.Entry>, plain: Int) -> Int {
    if choice % (Self.choicesByPriority + Self.choicesByAge) >= Self.choicesByPriority {
      choice += 1
      return plain
    }
    var index = ready.highest
    var task = ready[index].number
    if changes.contains(choice) || (task == last && repetitions > Self.limit) {
      lowest -= 1
      priorities[task] = lowest
      ready.setPriority(lowest, at: index)
      index = ready.highest
      task = ready[index].number
    }
    repetitions = task == last ? repetitions + 1 : 0
    last = task
    choice += 1
    return index
  }

  mutating func outcome(of width: Int) -> Int {
    defer { choice += 1 }
    guard changes.contains(choice) else { return 0 }
    return 1 + Int(numbers.next(below: UInt64(width - 1)))
  }
}

extension SplitMix64 {
  /// Returns a number below a bound.
  ///
  /// Implemented here because the result for a seed must never change.
  mutating func next(below bound: UInt64) -> UInt64 {
    next().multipliedFullWidth(by: bound).high
  }

  /// Creates a separate generator for each number that belongs to a seed.
  init(seed: UInt64, number: Int) {
    var numbers = SplitMix64(seed: seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
    self.init(seed: numbers.next())
  }
}
