internal import StandardDependencies

/// Searches for a simpler schedule that fails in the same way.
struct Shrinking {
  let explorer: Explorer
  let failures: Set<RunFailure>
  private(set) var schedule: Schedule
  /// The number of switches in a table of the schedule.
  private var leads: Int
  private var runsLeft: Int
  private var stepsLeft: Int
  private let end: ContinuousClock.Instant

  /// - Parameters:
  ///   - runs: The maximum number of schedules to try.
  ///   - steps: The number of jobs after which it tries no further schedule.
  ///   - time: The time after which it tries no further schedule.
  init(
    _ result: ScheduleResult, _ explorer: Explorer, runs: Int = 4_000, steps: Int = 5_000_000,
    time: Duration = .seconds(3)
  ) {
    self.explorer = explorer
    runsLeft = runs
    stepsLeft = steps
    end = .now + time
    failures = result.failures
    schedule = result.schedule
    leads = result.record.leads
  }

  /// Simplifies the schedule, and then others that fail in the same way, until a limit is reached.
  mutating func run() async {
    await tryWithoutSeed()
    if await fails(with: []) { return }
    await removeSwitches()
    if schedule.switches.count > 1 { await tryOneTaskAhead() }
    await simplify()
    if await searchBelow() { await simplify() }
  }

  /// Repeats the steps until none of them helps.
  private mutating func simplify() async {
    var last: Schedule
    repeat {
      last = schedule
      await lowerIndices()
      await removeSwitches()
    } while schedule != last
  }

  /// Searches for schedules with fewer switches than the best one so far.
  ///
  /// Where no switch can be left out, there may still be fewer of other switches: this changes
  /// them at random, and keeps what isn't worse.
  ///
  /// - Returns: Whether it has found one.
  private mutating func searchBelow() async -> Bool {
    guard leads > 1, let result = await run(.given(schedule), seed: schedule.seed) else {
      return false
    }
    let before = schedule
    var best = Cost(result.record)
    var (changing, count, failedTries) = (schedule.switches.asLeads, best.leads, 0)
    var changes = RandomChanges(choices: result.record.picks.count)
    while best.leads > 1, canRun {
      // There may be a way to fewer from elsewhere, or from the best one once more.
      if failedTries > 300 {
        (changing, count, failedTries) = (schedule.switches.asLeads, best.leads, 0)
      }
      let changed = changes.change(changing)
      failedTries += 1
      guard let result = await run(.ahead(TasksAhead(changed)), seed: schedule.seed),
        result.failures == failures, result.record.leads <= count
      else { continue }
      if result.record.leads < count { failedTries = 0 }
      (changing, count) = (changed, result.record.leads)
      if Cost(result.record) < best {
        best = Cost(result.record)
        schedule.switches = result.schedule.switches
        leads = best.leads
      }
    }
    return schedule != before
  }

  private var canRun: Bool {
    runsLeft > 0 && stepsLeft > 0 && !Task.isCancelled && .now < end
  }

  /// Runs a schedule, or returns `nil` if a limit is reached.
  private mutating func run(
    _ strategy: Strategy, seed: UInt64
  ) async -> ScheduleResult? {
    guard canRun else { return nil }
    let result = await explorer.run(strategy, seed: seed)
    runsLeft -= 1
    stepsLeft -= result.record.steps
    return result
  }

  /// Tries a schedule, and adopts it if it fails in the same way.
  private mutating func fails(with switches: [Schedule.Switch], seed: UInt64? = nil) async -> Bool {
    let candidate = Schedule(switches: switches, seed: seed ?? schedule.seed)
    guard candidate != schedule,
      let result = await run(.given(candidate), seed: candidate.seed),
      // Use what it did, not what it was asked to do: it may have ended before a switch.
      result.failures == failures, result.schedule.switches.count <= switches.count,
      result.record.leads <= leads
    else { return false }
    leads = result.record.leads
    schedule.switches = result.schedule.switches
    schedule.seed = candidate.seed
    return true
  }

  private mutating func tryWithoutSeed() async {
    guard schedule.seed != 0 else { return }
    _ = await fails(with: schedule.switches, seed: 0)
  }

  /// Removes parts of the switches, large ones first.
  private mutating func removeSwitches() async {
    var size = max(schedule.switches.count / 2, 1)
    while !schedule.switches.isEmpty, canRun {
      var hasRemoved = false
      // From the end, because earlier switches decide what later ones mean.
      var end = schedule.switches.count
      while end > 0, canRun {
        let start = max(0, end - size)
        var fewer = schedule.switches
        fewer.removeSubrange(start..<end)
        if await fails(with: fewer) { hasRemoved = true }
        end = min(start, schedule.switches.count)
      }
      if size == 1, !hasRemoved { return }
      if !hasRemoved || size > schedule.switches.count { size = max(size / 2, 1) }
    }
  }

  /// Tries schedules in which one task runs ahead of others for a while, which counts as one
  /// switch.
  private mutating func tryOneTaskAhead() async {
    guard let plain = await run(.given(.plain), seed: schedule.seed) else { return }
    for (choice, width) in plain.record.widths.enumerated() {
      for index in 1..<Int(width) {
        let start = Schedule.Switch(choice: choice, index: index)
        guard await failsAhead(start, length: .max) else { continue }
        var length = schedule.switches.count - 1
        while length > 0, await failsAhead(start, length: length) { length -= 1 }
        return
      }
    }
  }

  /// Tries to let a task run ahead.
  ///
  /// - Parameter length: The maximum number of times that the task is chosen.
  private mutating func failsAhead(_ start: Schedule.Switch, length: Int) async -> Bool {
    let ahead = TasksAhead([.init(start: start, length: length)])
    guard let result = await run(.ahead(ahead), seed: schedule.seed), result.failures == failures
    else { return false }
    schedule.switches = result.schedule.switches
    leads = result.record.leads
    return true
  }

  /// Lets younger jobs run no earlier than necessary.
  private mutating func lowerIndices() async {
    for position in schedule.switches.indices.reversed() {
      while position < schedule.switches.count, schedule.switches[position].index > 1 {
        var lower = schedule.switches
        lower[position].index -= 1
        guard await fails(with: lower) else { break }
      }
    }
  }
}

/// The switches of a run as a reader sees them, and all of them.
private struct Cost: Comparable {
  let leads: Int
  let switches: Int

  init(_ record: ChoiceRecord) {
    leads = record.leads
    switches = record.picks.count { $0 != 0 }
  }

  static func < (lhs: Cost, rhs: Cost) -> Bool {
    (lhs.leads, lhs.switches) < (rhs.leads, rhs.switches)
  }
}

extension [Schedule.Switch] {
  fileprivate var asLeads: [TasksAhead.Lead] { map { .init(start: $0, length: 1) } }
}

/// Random changes of the tasks that run ahead in a schedule.
private struct RandomChanges {
  /// The number of choices in the schedule.
  let choices: Int
  private var numbers = SplitMix64(seed: 0)

  init(choices: Int) {
    self.choices = choices
  }

  mutating func change(_ leads: [TasksAhead.Lead]) -> [TasksAhead.Lead] {
    var leads = leads
    if leads.isEmpty { return [randomLead()] }
    let index = number(below: leads.count)
    switch number(below: 7) {
    case 0: leads.remove(at: index)
    case 1:
      // Longer, instead of the next one.
      leads[index].length += 1 + number(below: 6)
      let rest = leads[(index + 1)...].prefix(1 + number(below: 3)).indices
      leads.removeSubrange(rest)
    case 2: leads[index].length = max(1, leads[index].length + number(below: 9) - 4)
    case 3:
      let choice = leads[index].start.choice + number(below: 9) - 4
      leads[index].start.choice = max(0, choice)
      leads.sort { $0.start.choice < $1.start.choice }
    case 4: leads[index].start.index = 1 + number(below: 3)
    case 5: leads[index] = randomLead()
    default:
      leads.remove(at: index)
      if !leads.isEmpty { leads[number(below: leads.count)] = randomLead() }
    }
    return leads
  }

  private mutating func randomLead() -> TasksAhead.Lead {
    let start = Schedule.Switch(choice: number(below: max(choices, 1)), index: 1 + number(below: 3))
    return TasksAhead.Lead(start: start, length: 1 << number(below: 6))
  }

  private mutating func number(below bound: Int) -> Int {
    Int(numbers.next(below: UInt64(bound)))
  }
}
