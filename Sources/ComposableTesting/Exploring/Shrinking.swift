/// Searches for a simpler schedule that fails in the same way.
struct Shrinking {
  let explorer: Explorer
  let failures: Set<RunFailure>
  private(set) var schedule: Schedule
  private var runsLeft: Int
  private var stepsLeft: Int

  /// - Parameters:
  ///   - runs: The maximum number of schedules to try.
  ///   - steps: The number of jobs after which it tries no further schedule.
  init(
    _ result: ScheduleResult, _ explorer: Explorer, runs: Int = 1_000, steps: Int = 5_000_000
  ) {
    self.explorer = explorer
    runsLeft = runs
    stepsLeft = steps
    failures = result.failures
    schedule = result.schedule
  }

  /// Repeats the steps until none of them helps, or a limit is reached.
  mutating func run() async {
    await tryWithoutSeed()
    if await fails(with: []) { return }
    await removeSwitches()
    if schedule.switches.count > 1 { await tryOneTaskAhead() }
    var last: Schedule
    repeat {
      last = schedule
      await lowerIndices()
      await removeSwitches()
    } while schedule != last
  }

  private var canRun: Bool { runsLeft > 0 && stepsLeft > 0 && !Task.isCancelled }

  /// Runs a schedule, or returns `nil` if a limit is reached.
  private mutating func run(_ strategy: Strategy, seed: UInt64) async -> ScheduleResult? {
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
      result.failures == failures, result.schedule.switches.count <= switches.count
    else { return false }
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
    let ahead = TaskAhead(start: start, length: length)
    guard let result = await run(.ahead(ahead), seed: schedule.seed), result.failures == failures
    else { return false }
    schedule.switches = result.schedule.switches
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
