internal import TestRuntime

/// Searches for a simpler schedule that fails in the same way.
struct Shrinking {
  let runner: ScheduleRunner
  let failures: [RunFailure]
  /// The simplest schedule so far.
  private(set) var schedule: Schedule
  private var record: ChoiceRecord
  private var runsLeft: Int
  private var stepsLeft: Int

  /// - Parameters:
  ///   - runs: The maximum number of schedules to try.
  ///   - steps: The maximum number of their steps, where beginning a schedule counts as a hundred.
  init(
    _ result: ScheduleResult, _ runner: ScheduleRunner, runs: Int = 20_000, steps: Int = 300_000
  ) {
    self.runner = runner
    (runsLeft, stepsLeft) = (runs, steps)
    failures = result.failures
    schedule = result.schedule
    record = result.record
  }

  /// Simplifies the schedule until nothing simpler is found, or a limit is reached.
  mutating func run() async {
    if schedule.seed != 0 { _ = await fails(with: schedule.switches, seed: 0) }
    if await fails(with: []) { return }
    var last: Schedule
    repeat {
      last = schedule
      await removeSwitches()
      await lowerIndices()
    } while schedule != last
    await searchForFewer()
  }

  private var canRun: Bool {
    runsLeft > 0 && stepsLeft > 0 && !Task.isCancelled
  }

  /// Tries some switches, and adopts them if the schedule fails in the same way.
  private mutating func fails(with switches: [Schedule.Switch], seed: UInt64? = nil) async -> Bool {
    guard let result = await run(switches, seed: seed ?? schedule.seed),
      !result.findings.isCut, result.failures == failures,
      result.schedule.switches.count <= switches.count,
      result.record.failedCalls <= record.failedCalls
    else { return false }
    adopt(result, seed: seed ?? schedule.seed)
    return true
  }

  private mutating func run(_ switches: [Schedule.Switch], seed: UInt64) async -> ScheduleResult? {
    guard canRun else { return nil }
    let result = await runner.run(Schedule(switches: switches, seed: seed))
    runsLeft -= 1
    stepsLeft -= result.record.steps + 100
    return result
  }

  /// Adopts what a schedule did, not what it was asked to do: it may have ended before a switch.
  private mutating func adopt(_ result: ScheduleResult, seed: UInt64) {
    record = result.record
    schedule = Schedule(switches: result.schedule.switches, seed: seed)
  }
}

/// Switches that can be left out, or that can let an older job run.
extension Shrinking {
  /// Removes parts of the switches, large ones first.
  private mutating func removeSwitches() async {
    var size = max(schedule.switches.count / 2, 1)
    while true {
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

/// Other switches than those that were found.
extension Shrinking {
  /// The number of schedules to try for a simpler one.
  private static let patience = 2_000

  /// Searches among all schedules, those with few switches first, for one with fewer failing calls, or
  /// with as many and fewer switches.
  private mutating func searchForFewer() async {
    var (all, next) = (ExhaustiveSearch(limit: Self.patience), Schedule.plain as Schedule?)
    for _ in 0..<Self.patience {
      guard let candidate = next,
        record.failedCalls > 0 || candidate.switches.count < schedule.switches.count,
        let result = await run(candidate.switches, seed: schedule.seed)
      else { return }
      if result.findings.isOrder, result.failures == failures,
        result.record.isSimpler(than: record)
      {
        adopt(result, seed: schedule.seed)
      }
      all.didRun(result)
      next = all.next()
    }
  }
}

extension ChoiceRecord {
  fileprivate func isSimpler(than other: ChoiceRecord) -> Bool {
    (failedCalls, switches.count) < (other.failedCalls, other.switches.count)
  }
}
