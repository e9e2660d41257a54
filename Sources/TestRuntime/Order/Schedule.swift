/// An order of a test's jobs, as its differences from the plain one: first in, first out, and every
/// call succeeds.
package struct Schedule: Sendable, Equatable {
  /// A choice at which a job other than the longest-ready one runs, or at which a call fails.
  package struct Switch: Sendable, Equatable {
    /// The index of the choice in a run, from 0.
    ///
    /// A choice occurs when two or more jobs are ready, and where a call may fail.
    package var choice: Int
    /// The index of the chosen job, counted from the oldest, or the number of the error; never 0.
    package var index: Int

    package init(choice: Int, index: Int) {
      (self.choice, self.index) = (choice, index)
    }
  }

  /// In the order of their choices.
  package var switches: [Switch]
  /// The seed of a run's random numbers.
  package var seed: UInt64

  package init(switches: [Switch] = [], seed: UInt64 = 0) {
    (self.switches, self.seed) = (switches, seed)
  }

  /// First in, first out.
  package static let plain = Schedule()
}

/// The choices of a run, and the number of jobs, or of what a call may do, at each.
package struct ChoiceRecord: Sendable, Equatable {
  /// The number of ready jobs at each choice, or of what a call may do.
  package var widths: [Int32] = []
  /// Whether others noticed what each choice decided.
  package var isNoticed: [Bool] = []
  /// The index of the job that ran, or the number of the error that a call threw.
  package var picks: [Int32] = []
  /// Whether a choice is what a call does.
  private(set) var isCall: [Bool] = []
  /// The number of jobs that ran, with and without a choice.
  package var steps = 0

  /// Records which job runs, and how many there were to choose from.
  ///
  /// - Parameter goesOn: Whether the running task goes on in its step.
  package mutating func didChoose(_ pick: Int, of width: Int, goesOn: Bool = false) {
    if !goesOn { steps += 1 }
    guard width > 1 else { return }
    widths.append(Int32(truncatingIfNeeded: width))
    isNoticed.append(true)
    picks.append(Int32(truncatingIfNeeded: pick))
    isCall.append(false)
  }

  /// Records the number of the error that a call throws, or 0, and how many things it could do.
  package mutating func didCall(throwing error: Int, of width: Int) {
    didChoose(error, of: width, goesOn: true)
    isCall[isCall.count - 1] = true
  }

  /// Whether some call could fail.
  package var hasCalls: Bool { isCall.contains(true) }

  /// The number of calls that failed.
  package var failedCalls: Int { picks.indices.count { isCall[$0] && picks[$0] != 0 } }

  package static func == (lhs: ChoiceRecord, rhs: ChoiceRecord) -> Bool {
    lhs.widths == rhs.widths && lhs.picks == rhs.picks && lhs.steps == rhs.steps
  }

  /// The number of jobs among which each choice was, from a certain one on.
  ///
  /// There was one if nobody noticed the choice.
  package func alternatives(at choice: Int) -> Int {
    isNoticed[choice] || picks[choice] != 0 ? Int(widths[choice]) : 1
  }

  /// The number of choices that others noticed.
  package var noticedCount: Int { isNoticed.count { $0 } }

  package var switches: [Schedule.Switch] {
    picks.indices.lazy.filter { picks[$0] != 0 }.map { .init(choice: $0, index: Int(picks[$0])) }
  }

  /// Identifies the choices; the same on every machine.
  package var fingerprint: UInt32 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ number: Int) {
      hash = (hash ^ UInt64(bitPattern: Int64(number))) &* 0x0000_0100_0000_01B3
      hash ^= hash >> 29
    }
    for index in picks.indices {
      add(Int(widths[index]))
      add(Int(picks[index]))
    }
    return UInt32(truncatingIfNeeded: hash & 0xFF_FFFF)
  }
}

/// How the body of a test has ended in a schedule.
package enum ScheduleEnding: Sendable {
  case returned
  case threw(any Error)
  /// Nothing could run, no task slept, and the body hadn't ended.
  case deadlocked
  /// Something kept running.
  case restless
}
