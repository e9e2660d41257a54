internal import StandardDependencies

/// How a schedule chooses among ready jobs.
enum Strategy: Sendable {
  /// The choices of an earlier schedule; after that, the oldest job first.
  case given(GivenOrder)
  /// Each job with the same probability.
  case uniform(SplitMix64)
  /// By random priorities of the tasks, with a few changes.
  case priorities(RandomPriorities)
  /// The oldest job first, except that some tasks run repeatedly for a while.
  case ahead(TasksAhead)

  static func given(_ schedule: Schedule) -> Strategy {
    .given(GivenOrder(switches: schedule.switches))
  }

  /// - Parameter tasks: The tasks of the ready jobs, the oldest first; at least two.
  mutating func choose(among tasks: some RandomAccessCollection<UInt64>) -> Int {
    switch self {
    case .given(var order):
      self = .uniform(SplitMix64(seed: 0))  // so that the order is not copied
      defer { self = .given(order) }
      return order.choose(among: tasks.count)
    case .uniform(var numbers):
      defer { self = .uniform(numbers) }
      return Int(numbers.next(below: UInt64(tasks.count)))
    case .priorities(var priorities):
      self = .uniform(SplitMix64(seed: 0))
      defer { self = .priorities(priorities) }
      return priorities.choose(among: tasks)
    case .ahead(var ahead):
      self = .uniform(SplitMix64(seed: 0))
      defer { self = .ahead(ahead) }
      return ahead.choose(among: tasks)
    }
  }
}

/// The choices of an earlier schedule.
struct GivenOrder: Sendable {
  let switches: [Schedule.Switch]
  private var next = 0
  private var choice = 0

  init(switches: [Schedule.Switch]) {
    self.switches = switches
  }

  mutating func choose(among count: Int) -> Int {
    defer { choice += 1 }
    guard next < switches.count, switches[next].choice == choice else { return 0 }
    defer { next += 1 }
    return min(switches[next].index, count - 1)
  }
}

/// Lets some tasks run ahead of all others, each for a while; otherwise, the oldest job runs first.
struct TasksAhead: Sendable {
  /// A task that runs ahead.
  struct Lead: Sendable {
    /// The choice at which it begins, and the index of the task.
    var start: Schedule.Switch
    /// The number of times that the task is chosen.
    var length: Int
  }

  /// In the order of their choices.
  private let leads: [Lead]
  private var next = 0
  private var choice = 0
  private var count = 0
  private var task: UInt64?

  init(_ leads: [Lead]) {
    self.leads = leads.sorted { $0.start.choice < $1.start.choice }
  }

  mutating func choose(among tasks: some RandomAccessCollection<UInt64>) -> Int {
    defer { choice += 1 }
    while next < leads.count, leads[next].start.choice <= choice {
      task = tasks.dropFirst(min(leads[next].start.index, tasks.count - 1)).first
      count = leads[next].length
      next += 1
    }
    guard let task, count > 0, let index = tasks.enumerated().first(where: { $1 == task })
    else { return 0 }
    count -= 1
    return index.offset
  }
}

/// Runs the task with the highest priority, and lowers that priority at a few random places.
///
/// This is probabilistic concurrency testing (Burckhardt and others, 2010). It finds an ordering
/// bug that needs d switches among n tasks and k choices with a probability of at least
/// 1/(n·k^(d-1)).
struct RandomPriorities: Sendable {
  private var numbers: SplitMix64
  private var priorities: [UInt64: UInt64] = [:]
  /// The choices at which the running task loses its priority.
  private let changes: Set<Int>
  private var choice = 0
  private var lowest = UInt64.max / 2
  private var last: UInt64?
  private var repetitions = 0

  /// How often a task runs in a row while others are ready, because it may be spinning.
  private static let limit = 200

  init(seed: UInt64, depth: Int, choices: Int) {
    numbers = SplitMix64(seed: seed)
    var changes: Set<Int> = []
    for _ in 0..<depth { changes.insert(Int(numbers.next(below: UInt64(max(choices, 1))))) }
    self.changes = changes
  }

  mutating func choose(among tasks: some RandomAccessCollection<UInt64>) -> Int {
    var (index, task) = highest(among: tasks)
    if changes.contains(choice) || (task == last && repetitions > Self.limit) {
      lower(task)
      (index, task) = highest(among: tasks)
    }
    repetitions = task == last ? repetitions + 1 : 0
    last = task
    choice += 1
    return index
  }

  private mutating func lower(_ task: UInt64) {
    lowest -= 1
    priorities[task] = lowest
  }

  private mutating func highest(
    among tasks: some RandomAccessCollection<UInt64>
  ) -> (index: Int, task: UInt64) {
    var best: (index: Int, task: UInt64, priority: UInt64)?
    for (index, task) in tasks.enumerated() {
      let priority = priority(of: task)
      if best.map({ $0.priority < priority }) ?? true { best = (index, task, priority) }
    }
    return best.map { ($0.index, $0.task) } ?? (0, 0)
  }

  private mutating func priority(of task: UInt64) -> UInt64 {
    if let priority = priorities[task] { return priority }
    // In the upper half, so that a task with a lowered priority stays below all others.
    let priority = numbers.next() | (1 << 63)
    priorities[task] = priority
    return priority
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
