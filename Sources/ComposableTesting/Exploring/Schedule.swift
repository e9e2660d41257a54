/// An order of a test's jobs, as its differences from the plain one: first in, first out.
struct Schedule: Sendable, Equatable {
  /// A choice at which a job other than the longest-ready one runs.
  struct Switch: Sendable, Equatable {
    /// The index of the choice in a run, from 0; a choice occurs when two or more jobs are ready.
    var choice: Int
    /// The index of the chosen job, counted from the oldest; never 0.
    var index: Int
  }

  /// In the order of their choices.
  var switches: [Switch] = []
  /// The seed of a run's random numbers.
  var seed: UInt64 = 0

  /// First in, first out.
  static let plain = Schedule()
}

/// The choices of a run, and the number of jobs at each.
struct ChoiceRecord: Sendable, Equatable {
  /// The number of ready jobs at each choice.
  var widths: [Int32] = []
  /// The index of the job that ran.
  var picks: [Int32] = []
  /// The number of jobs that ran, with and without a choice.
  var steps = 0
  /// The switches, of which several in a row that let the same task run count as one.
  private(set) var leads: [Lead] = []
  /// How often each task was chosen.
  private(set) var counts: [Int] = []
  /// Whether the last job belongs to the last lead.
  private var isLead = false

  /// Records the number of the task that runs, and how many jobs there were to choose from.
  mutating func didChoose(_ task: Int, pick: Int, of width: Int) {
    steps += 1
    defer { isLead = pick > 0 }
    guard width > 1 else { return }
    widths.append(Int32(truncatingIfNeeded: width))
    picks.append(Int32(truncatingIfNeeded: pick))
    counts.count(task)
    if pick == 0 { return }
    if isLead, let last = leads.last, last.task == task, last.passed == pick {
      leads[leads.count - 1].length += 1
    } else {
      leads.append(Lead(task: task, start: counts[task] - 1, passed: pick, length: 1))
    }
  }

  static func == (lhs: ChoiceRecord, rhs: ChoiceRecord) -> Bool {
    lhs.widths == rhs.widths && lhs.picks == rhs.picks && lhs.steps == rhs.steps
  }

  var switches: [Schedule.Switch] {
    picks.indices.lazy.filter { picks[$0] != 0 }.map { .init(choice: $0, index: Int(picks[$0])) }
  }

  /// Identifies this run; the same on every machine.
  var fingerprint: UInt32 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ number: Int) {
      hash = (hash ^ UInt64(bitPattern: Int64(number))) &* 0x0000_0100_0000_01B3
      hash ^= hash >> 29
    }
    for index in picks.indices {
      add(Int(widths[index]))
      add(Int(picks[index]))
    }
    add(steps)
    return UInt32(truncatingIfNeeded: hash & 0xFF_FFFF)
  }
}
