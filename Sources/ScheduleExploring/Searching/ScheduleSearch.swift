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
  private var left: Finding?
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
    if isAll, !all.isBroken {
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
    let number = randomCount + cutCount
    let result = await run(strategy(for: number), seed: seedOfRandomNumbers(for: number))
    if !result.findings.isCut { randomCount += 1 }
    return outcome(of: result)
  }

  private func passed(
    schedules: Int, _ all: ExhaustiveSearch, isExhaustive: Bool, bound: Int
  ) async -> Outcome {
    let ranAll = isExhaustive && isComplete && left == nil
    var exploration = Exploration(
      schedules: schedules, isExhaustive: ranAll && runner.sight.isWhole, choices: choices,
      randomSchedules: isExhaustive ? 0 : randomCount, switches: all.isBroken ? 0 : bound,
      ranAll: ranAll, gap: runner.sight.gap, hasCalls: hasCalls, isRepeatable: !all.isBroken,
      lockPlaces: runner.places)
    guard let left else { return .passed(exploration) }
    // Again, to name the steps.
    let traced = await runner.run(left.result.schedule, tracing: .steps)
    if let outcome = outcome(of: traced) { return outcome }
    let steps = traced.trace.map { ScheduleTable(trace: $0).stepsOutside } ?? []
    exploration.stepsFromOutside = steps.isEmpty ? ["schedule \(left.number.grouped)"] : steps
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
    choices = max(choices, result.record.noticedCount)
    allChoices = max(allChoices, result.record.choices.count)
    if result.record.hasCalls { hasCalls = true }
    if result.findings.isLimited { isComplete = false }
    if left == nil, result.findings.outsideCount > 0 {
      left = Finding(number: count, result: result)
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

/// Enumerates all schedules of a test, each once: first the plain one, then those with one switch,
/// then those with two, and so on.
///
/// The run of a schedule shows the choices after its last switch. Each other job that could run at
/// one of them yields another schedule. So every schedule comes from the one that lacks its last
/// switch, and from no other.
struct ExhaustiveSearch: Sendable {
  /// Schedules that differ in their last switch.
  private struct Family {
    /// The schedule from which these differ by one switch more.
    let switches: [Schedule.Switch]
    /// The index of the family of that schedule; `nil` for the plain one.
    let parent: Int?
    /// The number of ready jobs at each choice from the first one that may differ.
    let widths: [Int32]
    /// The number of these that are known to matter.
    var alternatives: [Int32]

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
  /// The schedules to run, by their numbers of switches but one.
  private var levels: [Level] = []
  private var running: (switches: [Schedule.Switch], family: Int?) = ([], nil)
  /// The number of schedules above which none with more switches are run.
  private let limit: Int

  /// Schedules with the same number of switches.
  private struct Level {
    /// The families, each with the choice of their last switches.
    var branches: [(family: Int, choice: Int)] = []
    var current = 0
    /// The last index that ran at the choice.
    var index = 0
  }

  init(limit: Int = .max) {
    self.limit = limit
  }

  /// Records the run of the last schedule that ``next()`` returned, or at first of the plain one.
  mutating func didRun(_ result: ScheduleResult) {
    // One in which a lock is held where a task is overtaken isn't the test's.
    if result.findings.isCut || result.findings.hasRefused {
      known -= 1
    } else {
      didRun(result.record)
    }
  }

  mutating func didRun(_ record: ChoiceRecord) {
    let start = running.switches.last.map { $0.choice + 1 } ?? 0
    // Up to its last switch, it must have done what the schedule without this switch did.
    guard record.switches == running.switches, start <= record.choices.count,
      isSame(record, before: start)
    else {
      isBroken = true
      return
    }
    runs += 1
    products += record.choices.reduce(1.0) { $0 * Double($1.alternatives) }
    // A choice that mattered in none of the schedules before may matter in this one.
    var (end, owner) = (start, running.family)
    while let family = owner {
      for choice in families[family].start..<end { add(choice, of: record, to: family) }
      (end, owner) = (families[family].start, families[family].parent)
    }
    guard known <= limit || running.family == nil else {
      // Only counted, because memory would grow with the square of the number of choices.
      for choice in record.choices[start...] { known += choice.alternatives - 1 }
      return
    }
    families.append(
      Family(
        switches: running.switches, parent: running.family,
        widths: record.choices[start...].map { Int32($0.width) },
        alternatives: Array(repeating: 1, count: record.choices.count - start)))
    for choice in start..<record.choices.count { add(choice, of: record, to: families.count - 1) }
  }

  private func isSame(_ record: ChoiceRecord, before start: Int) -> Bool {
    var (end, owner) = (start, running.family)
    while let family = owner.map({ families[$0] }) {
      let choices = record.choices[family.start..<end]
      if !family.widths.starts(with: choices.lazy.map { Int32($0.width) }) { return false }
      (end, owner) = (family.start, family.parent)
    }
    return true
  }

  /// Adds the schedules of a family that differ in a choice, unless they are known.
  private mutating func add(_ choice: Int, of record: ChoiceRecord, to family: Int) {
    let (place, alternatives) = (
      choice - families[family].start, record.choices[choice].alternatives
    )
    guard families[family].alternatives[place] < alternatives else { return }
    families[family].alternatives[place] = Int32(alternatives)
    known += alternatives - 1
    let level = families[family].switches.count
    if level == levels.count { levels.append(Level()) }
    levels[level].branches.append((family, choice))
  }

  /// Records that a schedule ran twice.
  mutating func didRepeat(_ first: ChoiceRecord, _ second: ChoiceRecord) {
    if first != second { isBroken = true }
  }

  /// Returns the next schedule; `nil` if all have run, or if the test doesn't repeat what it did.
  mutating func next() -> Schedule? {
    if isBroken { return nil }
    for level in levels.indices {
      while levels[level].current < levels[level].branches.count {
        let (family, choice) = levels[level].branches[levels[level].current]
        levels[level].index += 1
        let index = levels[level].index
        if index < families[family].alternatives[choice - families[family].start] {
          running = (families[family].switches + [.init(choice: choice, index: index)], family)
          return Schedule(switches: running.switches)
        }
        levels[level].current += 1
        levels[level].index = 0
      }
    }
    return nil
  }
}
