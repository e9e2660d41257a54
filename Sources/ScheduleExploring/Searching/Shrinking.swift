internal import StandardDependencies

/// Searches for a simpler schedule that fails in the same way.
struct Shrinking {
  let explorer: Explorer
  let failures: [RunFailure]
  /// The simplest schedule so far.
  private(set) var schedule: Schedule
  private var record: ChoiceRecord
  private var changes = RandomChanges()
  private var runsLeft: Int
  private let end: ContinuousClock.Instant

  /// - Parameters:
  ///   - runs: The maximum number of schedules to try.
  ///   - time: The time after which it tries no further schedule.
  init(
    _ result: ScheduleResult, _ explorer: Explorer, runs: Int = 20_000,
    time: Duration = .seconds(3)
  ) {
    self.explorer = explorer
    runsLeft = runs
    end = .now + time
    failures = result.failures
    schedule = result.schedule
    record = result.record
  }

  /// Simplifies the schedule until nothing simpler is found, or a limit is reached.
  mutating func run() async {
    if schedule.seed != 0 { _ = await fails(with: schedule.switches, seed: 0) }
    if await fails(with: []) { return }
    repeat { await simplify() } while await findSimpler()
  }

  private var canRun: Bool {
    runsLeft > 0 && !Task.isCancelled && .now < end
  }

  /// Runs a schedule, and returns its result if it fails in the same way.
  private mutating func run(_ strategy: any Strategy, seed: UInt64) async -> ScheduleResult? {
    guard canRun else { return nil }
    let result = await explorer.run(strategy, seed: seed)
    runsLeft -= 1
    return result.failures == failures ? result : nil
  }

  /// Adopts what a schedule did, not what it was asked to do: it may have ended before a switch.
  private mutating func adopt(_ result: ScheduleResult, seed: UInt64) {
    record = result.record
    schedule = Schedule(switches: result.schedule.switches, seed: seed)
  }

  /// Tries some switches, and adopts them if the schedule fails in the same way.
  private mutating func fails(with switches: [Schedule.Switch], seed: UInt64? = nil) async -> Bool {
    let candidate = Schedule(switches: switches, seed: seed ?? schedule.seed)
    guard let result = await run(.given(candidate), seed: candidate.seed),
      result.schedule.switches.count <= switches.count,
      result.record.headStarts.count <= record.headStarts.count
    else { return false }
    adopt(result, seed: candidate.seed)
    return true
  }
}

/// Switches that can be left out, or that can let an older job run.
extension Shrinking {
  private mutating func simplify() async {
    var last: Schedule
    repeat {
      last = schedule
      await removeSwitches()
      await lowerIndices()
    } while schedule != last
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
  private static var patience: Int { 3_000 }

  /// Searches for a schedule in which fewer tasks run ahead, or as many for a shorter time.
  ///
  /// Where no switch can be left out, there may still be fewer of other switches: this changes
  /// them at random, and keeps what isn't worse.
  ///
  /// - Returns: Whether it has found one.
  private mutating func findSimpler() async -> Bool {
    var (headStarts, count, failedTries) = (record.headStarts, record.headStarts.count, 0)
    for _ in 0..<Self.patience where record.headStarts.count > 1 && canRun {
      // Begin again at the simplest one: there may be another way to fewer.
      if failedTries > 300 {
        (headStarts, count, failedTries) = (record.headStarts, record.headStarts.count, 0)
      }
      let changed = changes.change(headStarts, in: record)
      failedTries += 1
      guard let result = await run(HeadStarts(changed), seed: schedule.seed),
        result.record.headStarts.count <= count
      else { continue }
      if result.record.isSimpler(than: record) {
        adopt(result, seed: schedule.seed)
        return true
      }
      if result.record.headStarts.count < count { failedTries = 0 }
      (headStarts, count) = (changed, result.record.headStarts.count)
    }
    return false
  }
}

extension ChoiceRecord {
  /// Whether fewer tasks run ahead, or as many for a shorter time.
  fileprivate func isSimpler(than other: ChoiceRecord) -> Bool {
    (headStarts.count, switches.count) < (other.headStarts.count, other.switches.count)
  }
}

/// Random changes of the tasks that run ahead in a schedule.
private struct RandomChanges {
  private var numbers = SplitMix64(seed: 0)

  mutating func change(_ headStarts: [HeadStart], in record: ChoiceRecord) -> [HeadStart] {
    var headStarts = headStarts
    if headStarts.isEmpty { return [headStart(in: record)] }
    let index = number(below: headStarts.count)
    switch number(below: 9) {
    case 0: headStarts.remove(at: index)
    case 1:
      // Longer, instead of the next ones.
      headStarts[index].length += 1 + number(below: 6)
      let rest = headStarts[(index + 1)...].prefix(1 + number(below: 3)).indices
      headStarts.removeSubrange(rest)
    case 2: headStarts[index].length = max(1, headStarts[index].length + number(below: 9) - 4)
    case 3: headStarts[index].start = max(0, headStarts[index].start + number(below: 5) - 2)
    case 4: headStarts[index] = headStart(in: record)
    case 5: headStarts.swapAt(index, number(below: headStarts.count))
    case 6: headStarts.insert(headStart(in: record), at: index)
    case 7:
      headStarts.remove(at: index)
      headStarts.insert(headStart(in: record), at: number(below: headStarts.count + 1))
    default:
      headStarts.remove(at: index)
      if !headStarts.isEmpty { headStarts[number(below: headStarts.count)] = headStart(in: record) }
    }
    return headStarts
  }

  private mutating func headStart(in record: ChoiceRecord) -> HeadStart {
    let task = number(below: record.counts.count)
    return HeadStart(
      task: task, start: number(below: record.counts[task] + 1), length: 1 << number(below: 6))
  }

  private mutating func number(below bound: Int) -> Int {
    Int(numbers.next(below: UInt64(max(bound, 1))))
  }
}
