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
    /// The number of ready jobs at each choice after the last of the switches.
    let widths: ArraySlice<Int32>
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
    guard record.switches == running, start <= record.widths.count else {
      isBroken = true
      return
    }
    runs += 1
    products += record.widths.reduce(1.0) { $0 * Double($1) }
    let widths = record.widths[start...]
    known += widths.reduce(0) { $0 + Int($1) - 1 }
    if !widths.isEmpty { families.append(Family(switches: running, widths: widths)) }
  }

  /// Returns the next schedule; `nil` if all have run.
  mutating func next() -> Schedule? {
    guard current < families.count else { return nil }
    let family = families[current]
    var last = self.last ?? Schedule.Switch(choice: family.widths.startIndex, index: 0)
    last.index += 1
    if last.index >= family.widths[last.choice] {
      last = Schedule.Switch(choice: last.choice + 1, index: 1)
    }
    guard last.choice < family.widths.endIndex else {
      // Free the families that are done.
      families[current] = Family(switches: [], widths: [])
      current += 1
      self.last = nil
      return next()
    }
    self.last = last
    running = family.switches + [last]
    return Schedule(switches: running)
  }
}
