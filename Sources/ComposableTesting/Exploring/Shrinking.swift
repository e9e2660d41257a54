/// Searches for a simpler schedule that fails in the same way.
struct Shrinking {
  let explorer: Explorer
  let failures: Set<RunFailure>
  private(set) var schedule: Schedule
  private var runsLeft = Self.limit
  private var stepsLeft = Self.stepLimit

  /// The maximum number of schedules to try.
  private static let limit = 1_000
  /// The maximum number of jobs to run.
  private static let stepLimit = 5_000_000

  init(_ result: ScheduleResult, _ explorer: Explorer) {
    self.explorer = explorer
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

  /// Tries a schedule, and adopts it if it fails in the same way.
  private mutating func fails(with switches: [Schedule.Switch], seed: UInt64? = nil) async -> Bool {
    guard runsLeft > 0, stepsLeft > 0 else { return false }
    let candidate = Schedule(switches: switches, seed: seed ?? schedule.seed)
    guard candidate != schedule else { return false }
    let result = await explorer.run(.given(candidate), seed: candidate.seed)
    runsLeft -= 1
    stepsLeft -= result.record.steps
    // Use what it did, not what it was asked to do: it may have ended before a switch.
    guard result.failures == failures, result.schedule.switches.count <= switches.count else {
      return false
    }
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
    while !schedule.switches.isEmpty, runsLeft > 0 {
      var hasRemoved = false
      // From the end, because earlier switches decide what later ones mean.
      var end = schedule.switches.count
      while end > 0, runsLeft > 0 {
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
    let plain = await explorer.run(.given(.plain), seed: schedule.seed)
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
    guard runsLeft > 0, stepsLeft > 0 else { return false }
    let strategy = Strategy.ahead(TaskAhead(start: start, length: length))
    let result = await explorer.run(strategy, seed: schedule.seed)
    runsLeft -= 1
    stepsLeft -= result.record.steps
    guard result.failures == failures else { return false }
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
