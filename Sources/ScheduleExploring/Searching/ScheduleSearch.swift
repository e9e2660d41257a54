internal import TestRuntime

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

  let runner: ScheduleRunner
  /// The maximum number of schedules.
  let limit: Int
  let seed: UInt64

  private var count = 0
  /// The number of schedules that were chosen at random.
  private var randomCount = 0
  /// The number of schedules that aren't the test's, because a task would be overtaken that holds a lock.
  private var cutCount = 0
  /// The maximum number of choices in the schedules so far.
  private var choices = 0
  /// The maximum number of these and of those that nobody noticed.
  private var allChoices = 0
  /// The first schedule in which a task came from outside the executor, and its number.
  private var firstOutside: Finding?
  /// Whether every job could be overtaken.
  private var isComplete = true
  /// Whether some call could fail.
  private var hasCalls = false

  init(_ runner: ScheduleRunner, limit: Int, seed: UInt64) {
    self.runner = runner
    self.limit = limit
    self.seed = seed
  }

  mutating func run() async -> Outcome {
    var all = ExhaustiveSearch(limit: limit)
    let plain = await run(.given(.plain), seed: 0)
    if let outcome = outcome(of: plain) { return outcome }
    all.didRun(plain.record)
    // The number of switches up to which all schedules have run, or are running.
    var (bound, isAll) = (0, true)
    while let schedule = all.next() {
      if schedule.switches.count > bound {
        // All with one more switch run, or none, because only all prove something.
        guard mayRun(all, beyond: bound) else {
          isAll = false
          break
        }
        bound += 1
      }
      let result = await run(.given(schedule), seed: 0)
      if let outcome = outcome(of: result) { return outcome }
      all.didRun(result)
      // Random ones find a bug that needs several switches long before the others get to it.
      if count > Self.head, randomCount < randomShare {
        if let outcome = await runRandom() { return outcome }
      }
    }
    if isAll {
      while firstOutside == nil, count < min(Self.runsAtLeast, limit) {
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
    let number = randomCount + cutCount
    let result = await run(strategy(for: number), seed: seedOfRandomNumbers(for: number))
    if !result.findings.isCut { randomCount += 1 }
    return outcome(of: result)
  }

  private func passed(
    schedules: Int, _ all: ExhaustiveSearch, isExhaustive: Bool, bound: Int
  ) async -> Outcome {
    var exploration = Exploration(
      schedules: schedules, choices: choices, randomSchedules: isExhaustive ? 0 : randomCount,
      switches: all.isBroken ? 0 : bound, ranAll: isExhaustive && isComplete && firstOutside == nil,
      gap: runner.sight.gap, hasCalls: hasCalls, isRepeatable: !all.isBroken,
      lockPlaces: runner.places)
    guard let firstOutside else { return .passed(exploration) }
    // Again, to name the steps.
    let traced = await runner.run(firstOutside.result.schedule, tracing: .steps)
    if let outcome = outcome(of: traced) { return outcome }
    let steps = traced.trace.map { ScheduleTable(trace: $0).stepsOutside } ?? []
    exploration.stepsFromOutside =
      steps.isEmpty ? ["schedule \(firstOutside.number.grouped)"] : steps
    return .passed(exploration)
  }

  /// Alternates uniformly random schedules with those that have few random changes of priorities.
  private func strategy(for number: Int) -> any Strategy {
    let numbers = SplitMix64(seed: seed, number: 2 * number)
    if number.isMultiple(of: 2) { return UniformOrder(numbers: numbers) }
    var seeds = numbers
    return RandomPriorities(seed: seeds.next(), depth: number / 2 % 4, choices: allChoices)
  }

  private func seedOfRandomNumbers(for number: Int) -> UInt64 {
    var numbers = SplitMix64(seed: seed, number: 2 * number + 1)
    return numbers.next()
  }

  private mutating func run(_ strategy: any Strategy, seed: UInt64) async -> ScheduleResult {
    let result = await runner.run(strategy, seed: seed)
    if result.findings.isCut, cutCount < limit {
      cutCount += 1
      return result
    }
    count += 1
    choices = max(choices, result.record.choices.count { $0.isNoticed })
    allChoices = max(allChoices, result.record.choices.count)
    if result.record.hasCalls { hasCalls = true }
    if result.findings.isLimited { isComplete = false }
    if firstOutside == nil, result.findings.outsideCount > 0 {
      firstOutside = Finding(number: count, result: result)
    }
    return result
  }

  private func outcome(of result: ScheduleResult) -> Outcome? {
    if Task.isCancelled {
      if case .threw(let error) = result.ending { return .cancelled(error) }
      return .cancelled(CancellationError())
    }
    return result.failures.isEmpty || result.findings.isCut
      ? nil : .found(Finding(number: count, result: result))
  }
}
