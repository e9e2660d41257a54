internal import StandardDependencies

/// Searches for a schedule in which a test fails.
struct ScheduleSearch {
  /// A failing schedule.
  struct Finding {
    /// The number of the schedule, counted from 1.
    let number: Int
    let result: ScheduleResult
  }

  enum Outcome {
    case passed(Exploration)
    case found(Finding)
    /// The test was cancelled, and threw this error.
    case cancelled(any Error)
  }

  let explorer: Explorer
  /// The maximum number of schedules.
  let limit: Int
  let seed: UInt64

  private var count = 0
  /// The number of schedules that were chosen at random.
  private var randomCount = 0
  /// The maximum number of choices in the schedules so far.
  private var choices = 0
  /// The first schedule in which a task came from outside the executor, and its number.
  private var left: Finding?

  init(_ explorer: Explorer, limit: Int, seed: UInt64) {
    self.explorer = explorer
    self.limit = limit
    self.seed = seed
  }

  mutating func run() async -> Outcome {
    var all = ExhaustiveSearch()
    let plain = await run(.given(.plain), seed: 0)
    if let outcome = outcome(of: plain) { return outcome }
    all.didRun(plain.record)
    // Run all schedules, as long as there may be few enough.
    while !all.isBroken, all.known + randomCount <= limit, all.estimate <= 4 * Double(limit) {
      guard let schedule = all.next() else {
        return await passed(schedules: count - randomCount, isExhaustive: true)
      }
      let result = await run(.given(schedule), seed: 0)
      if let outcome = outcome(of: result) { return outcome }
      all.didRun(result.record)
      // Random ones find a bug that needs several switches long before the others get to it.
      if count > Self.head, randomCount < min(Self.randomShare, limit / 10) {
        if let outcome = await runRandom() { return outcome }
      }
    }
    while count < limit {
      if let outcome = await runRandom() { return outcome }
    }
    return await passed(schedules: count, isExhaustive: false)
  }

  /// The number of schedules after which random ones take turns with those of an exhaustive
  /// search, and the maximum number of these.
  private static let (head, randomShare) = (32, 100)

  private mutating func runRandom() async -> Outcome? {
    let number = randomCount
    randomCount += 1
    return outcome(of: await run(strategy(for: number), seed: seedOfRandomNumbers(for: number)))
  }

  private func passed(schedules: Int, isExhaustive: Bool) async -> Outcome {
    guard let left else {
      return .passed(Exploration(schedules: schedules, isExhaustive: isExhaustive))
    }
    // Again, to name the steps.
    let schedule = left.result.schedule
    let traced = await explorer.run(.given(schedule), seed: schedule.seed, isTraced: true)
    if let outcome = outcome(of: traced) { return outcome }
    let steps = traced.trace.map { ScheduleTable(trace: $0).stepsOutside } ?? []
    return .passed(
      Exploration(
        schedules: schedules, isExhaustive: false,
        stepsFromOutside: steps.isEmpty ? ["schedule \(left.number.grouped)"] : steps))
  }

  /// Alternates uniformly random schedules with those that have few random changes of priorities.
  private func strategy(for number: Int) -> Strategy {
    let numbers = SplitMix64(seed: seed, number: 2 * number)
    if number.isMultiple(of: 2) { return .uniform(numbers) }
    var seeds = numbers
    return .priorities(
      RandomPriorities(seed: seeds.next(), depth: number / 2 % 4, choices: choices))
  }

  private func seedOfRandomNumbers(for number: Int) -> UInt64 {
    var numbers = SplitMix64(seed: seed, number: 2 * number + 1)
    return numbers.next()
  }

  private mutating func run(_ strategy: Strategy, seed: UInt64) async -> ScheduleResult {
    let result = await explorer.run(strategy, seed: seed)
    count += 1
    choices = max(choices, result.record.picks.count)
    if left == nil, result.outsideCount > 0 { left = Finding(number: count, result: result) }
    return result
  }

  private func outcome(of result: ScheduleResult) -> Outcome? {
    if Task.isCancelled {
      if case .threw(let error) = result.ending { return .cancelled(error) }
      return .cancelled(CancellationError())
    }
    return result.failures.isEmpty ? nil : .found(Finding(number: count, result: result))
  }
}

/// Enumerates all schedules of a test, each once: first the plain one, then those with one switch,
/// then those with two, and so on.
///
/// The run of a schedule shows the choices after its last switch. Each other job that could run at
/// one of them yields another schedule. So every schedule comes from the one that lacks its last
/// switch, and from no other.
struct ExhaustiveSearch: Sendable {
  /// Schedules that differ in their last switch.
  private struct Family {
    let switches: [Schedule.Switch]
    /// The number of ready jobs at each choice after the last of the switches.
    let widths: ArraySlice<Int32>
  }

  /// The number of known schedules, run or not.
  private(set) var known = 1
  /// Whether a run differed from another run with the same choices.
  private(set) var isBroken = false
  /// An estimate of the number of schedules, possibly a few times too large: the mean, over all
  /// runs, of the product of the numbers of jobs at each choice.
  var estimate: Double { products / Double(max(runs, 1)) }

  private var products = 0.0
  private var runs = 0
  private var families: [Family] = []
  private var current = 0
  private var last: Schedule.Switch?
  private var running: [Schedule.Switch] = []

  /// Records the run of the last schedule that ``next()`` returned, or at first of the plain one.
  mutating func didRun(_ record: ChoiceRecord) {
    let start = running.last.map { $0.choice + 1 } ?? 0
    guard record.switches == running, start <= record.widths.count else {
      isBroken = true
      return
    }
    runs += 1
    products += record.widths.reduce(1.0) { $0 * Double($1) }
    let widths = record.widths[start...]
    known += widths.reduce(0) { $0 + Int($1) - 1 }
    if !widths.isEmpty { families.append(Family(switches: running, widths: widths)) }
  }

  /// Returns the next schedule; `nil` if all have run.
  mutating func next() -> Schedule? {
    guard current < families.count else { return nil }
    let family = families[current]
    var last = self.last ?? Schedule.Switch(choice: family.widths.startIndex, index: 0)
    last.index += 1
    if last.index >= family.widths[last.choice] {
      last = Schedule.Switch(choice: last.choice + 1, index: 1)
    }
    guard last.choice < family.widths.endIndex else {
      // Free the families that are done.
      families[current] = Family(switches: [], widths: [])
      current += 1
      self.last = nil
      return next()
    }
    self.last = last
    running = family.switches + [last]
    return Schedule(switches: running)
  }
}

/// The number of schedules that ran, and whether they are all schedules of the test.
public struct Exploration: Sendable, Equatable, CustomStringConvertible {
  /// The number of different schedules that ran.
  public let schedules: Int

  /// Whether every schedule of the test ran, each once.
  ///
  /// This is true only if the number of all possible schedules is below the number that you ask
  /// for, and if no task left the test's executor. If the two numbers are close, the exploration
  /// may choose at random instead, because it only estimates the first one.
  ///
  /// An unstructured task (`Task { … }`) that calls actors may leave the executor unnoticed, so it
  /// counts as one that did.
  public let isExhaustive: Bool

  /// The steps of one schedule at which tasks left the test's executor, or came back.
  ///
  /// If this isn't empty, work may have run on an actor with its own executor, on queues or on
  /// threads. No schedule chooses when, so the test may fail in another order of it.
  public internal(set) var stepsFromOutside: [String] = []

  /// The number of schedules, with "all" before it if the exploration is exhaustive.
  public var description: String {
    let count = "\(schedules.grouped) \(schedules == 1 ? "schedule" : "schedules")"
    if isExhaustive { return "all \(count)" }
    return stepsFromOutside.isEmpty
      ? count : "\(count), and no other order of the work that left the test's executor"
  }
}

extension Int {
  /// The number with commas between thousands.
  var grouped: String {
    let digits = Array(String(self))
    return digits.indices.map { index in
      let left = digits.count - index
      return (index > 0 && left % 3 == 0 ? "," : "") + String(digits[index])
    }.joined()
  }
}
