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

  /// - Parameter tasks: The numbers of the ready jobs' tasks, the oldest first; at least two.
  mutating func choose(among tasks: some RandomAccessCollection<Int>) -> Int {
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

/// Lets some tasks run ahead of older jobs, each for a while; otherwise, the oldest job runs first.
struct TasksAhead: Sendable {
  /// The first that applies to a choice decides it.
  private let leads: [Lead]
  /// How often each task was chosen.
  private var counts: [Int] = []

  init(_ leads: [Lead]) {
    self.leads = leads
  }

  mutating func choose(among tasks: some RandomAccessCollection<Int>) -> Int {
    var index = 0
    for lead in leads {
      guard let chosen = self.index(of: lead, among: tasks) else { continue }
      index = chosen
      break
    }
    counts.count(tasks[tasks.index(tasks.startIndex, offsetBy: index)])
    return index
  }

  /// Returns the index of the job that a lead chooses; `nil` if it doesn't apply.
  private func index(of lead: Lead, among tasks: some RandomAccessCollection<Int>) -> Int? {
    let count = lead.task < counts.count ? counts[lead.task] : 0
    guard count >= lead.start, count - lead.start < lead.length,
      let position = tasks.firstIndex(of: lead.task)
    else { return nil }
    return tasks.distance(from: tasks.startIndex, to: position)
  }
}

/// Successive jobs of one task, each of which runs before older ones.
struct Lead: Sendable, Equatable {
  /// The number of the task.
  var task: Int
  /// How often the task is chosen before.
  var start: Int
  /// The number of jobs.
  var length: Int
}

extension [Int] {
  /// Adds 1 to the element at an index, after adding zeros if it doesn't exist yet.
  mutating func count(_ index: Int) {
    while count <= index { append(0) }
    self[index] += 1
  }
}

/// Runs the task with the highest priority, and lowers that priority at a few random places.
///
/// This is probabilistic concurrency testing (Burckhardt and others, 2010). It finds an ordering
/// bug that needs d switches among n tasks and k choices with a probability of at least
/// 1/(n·k^(d-1)).
struct RandomPriorities: Sendable {
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

  init(seed: UInt64, depth: Int, choices: Int) {
    numbers = SplitMix64(seed: seed)
    for _ in 0..<depth { changes.append(Int(numbers.next(below: UInt64(max(choices, 1))))) }
  }

  mutating func choose(among tasks: some RandomAccessCollection<Int>) -> Int {
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

  private mutating func lower(_ task: Int) {
    lowest -= 1
    priorities[task] = lowest
  }

  private mutating func highest(
    among tasks: some RandomAccessCollection<Int>
  ) -> (index: Int, task: Int) {
    var (best, index) = ((index: 0, task: 0, priority: 0 as UInt64), 0)
    for task in tasks {
      let priority = priority(of: task)
      if best.priority < priority { best = (index, task, priority) }
      index += 1
    }
    return (best.index, best.task)
  }

  private mutating func priority(of task: Int) -> UInt64 {
    while priorities.count <= task { priorities.append(0) }
    if priorities[task] != 0 { return priorities[task] }
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
