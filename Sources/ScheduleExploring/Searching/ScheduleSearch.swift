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
    // The number of switches up to which all schedules have run, or are running.
    var bound = 0
    while let schedule = all.next() {
      if schedule.switches.count > bound {
        // All with one more switch run, or none, because only all prove something.
        guard mayRun(all, beyond: bound) else { break }
        bound += 1
      }
      let result = await run(.given(schedule), seed: 0)
      if let outcome = outcome(of: result) { return outcome }
      all.didRun(result.record)
      // Random ones find a bug that needs several switches long before the others get to it.
      if count > Self.head, randomCount < randomShare {
        if let outcome = await runRandom() { return outcome }
      }
    }
    if !all.isBroken, all.known == count - randomCount {
      while left == nil, count < min(Self.runsAtLeast, limit), !all.isBroken {
        let again = await run(.given(.plain), seed: 0)
        if let outcome = outcome(of: again) { return outcome }
        all.didRepeat(plain.record, again.record)
      }
      if !all.isBroken {
        return await passed(schedules: all.known, all, isExhaustive: true, bound: bound)
      }
    }
    while count < limit {
      if let outcome = await runRandom() { return outcome }
    }
    return await passed(schedules: count, all, isExhaustive: false, bound: bound)
  }

  /// Whether all schedules with one more switch may run.
  ///
  /// From two switches on, half of the schedules are random, because these find bugs that need many
  /// switches, unless there may be few enough schedules to run all.
  private func mayRun(_ all: ExhaustiveSearch, beyond bound: Int) -> Bool {
    let mayBeAll = all.estimate <= 4 * Double(limit)
    return all.known <= (bound == 0 || mayBeAll ? limit - randomShare : limit / 2)
  }

  /// The number of schedules after which random ones take turns with those of an exhaustive
  /// search.
  private static let head = 32
  /// The number of random schedules that run beside those of an exhaustive search.
  private var randomShare: Int { min(100, limit / 10) }
  /// How often a test runs before all of its schedules are known to have run: a test with few repeats
  /// the plain one, which shows whether something else than the schedule changes what it does.
  private static let runsAtLeast = 8

  private mutating func runRandom() async -> Outcome? {
    let number = randomCount
    randomCount += 1
    return outcome(of: await run(strategy(for: number), seed: seedOfRandomNumbers(for: number)))
  }

  private func passed(
    schedules: Int, _ all: ExhaustiveSearch, isExhaustive: Bool, bound: Int
  ) async -> Outcome {
    var exploration = Exploration(
      schedules: schedules, isExhaustive: isExhaustive, choices: choices,
      randomSchedules: isExhaustive ? 0 : randomCount, switches: all.isBroken ? 0 : bound,
      isRepeatable: !all.isBroken)
    guard let left else { return .passed(exploration) }
    // Again, to name the steps.
    let schedule = left.result.schedule
    let traced = await explorer.run(.given(schedule), seed: schedule.seed, isTraced: true)
    if let outcome = outcome(of: traced) { return outcome }
    let steps = traced.trace.map { ScheduleTable(trace: $0).stepsOutside } ?? []
    exploration.stepsFromOutside = steps.isEmpty ? ["schedule \(left.number.grouped)"] : steps
    exploration.isExhaustive = false
    return .passed(exploration)
  }

  /// Alternates uniformly random schedules with those that have few random changes of priorities.
  private func strategy(for number: Int) -> any Strategy {
    let numbers = SplitMix64(seed: seed, number: 2 * number)
    if number.isMultiple(of: 2) { return UniformOrder(numbers: numbers) }
    var seeds = numbers
    return RandomPriorities(seed: seeds.next(), depth: number / 2 % 4, choices: choices)
  }

  private func seedOfRandomNumbers(for number: Int) -> UInt64 {
    var numbers = SplitMix64(seed: seed, number: 2 * number + 1)
    return numbers.next()
  }

  private mutating func run(_ strategy: any Strategy, seed: UInt64) async -> ScheduleResult {
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
    /// The number of ready jobs at each choice, of which those after the last switch count.
    let widths: [Int32]

    var start: Int { switches.last.map { $0.choice + 1 } ?? 0 }
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
    // Up to its last switch, it must have done what the schedule without this switch did.
    guard record.switches == running, start <= record.widths.count,
      running.isEmpty || families[current].widths.starts(with: record.widths[..<start])
    else {
      isBroken = true
      return
    }
    runs += 1
    products += record.widths.reduce(1.0) { $0 * Double($1) }
    known += record.widths[start...].reduce(0) { $0 + Int($1) - 1 }
    if start < record.widths.count {
      families.append(Family(switches: running, widths: record.widths))
    }
  }

  /// Records that a schedule ran twice.
  mutating func didRepeat(_ first: ChoiceRecord, _ second: ChoiceRecord) {
    if first != second { isBroken = true }
  }

  /// Returns the next schedule; `nil` if all have run, or if the test doesn't repeat what it did.
  mutating func next() -> Schedule? {
    while !isBroken, current < families.count {
      let family = families[current]
      var last = self.last ?? Schedule.Switch(choice: family.start, index: 0)
      last.index += 1
      if last.index >= family.widths[last.choice] {
        last = Schedule.Switch(choice: last.choice + 1, index: 1)
      }
      if last.choice < family.widths.count {
        self.last = last
        running = family.switches + [last]
        return Schedule(switches: running)
      }
      // Free the families that are done.
      families[current] = Family(switches: [], widths: [])
      current += 1
      self.last = nil
    }
    return nil
  }
}
