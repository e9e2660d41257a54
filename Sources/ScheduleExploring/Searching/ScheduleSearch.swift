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
