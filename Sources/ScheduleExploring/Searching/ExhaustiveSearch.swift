internal import TestRuntime

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
    if result.findings.isOrder { didRun(result.record) } else { known -= 1 }
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
