/// The choices of a run, among jobs, or of what a call does.
package struct ChoiceRecord: Sendable, Equatable {
  package struct Choice: Sendable {
    /// The number of ready jobs, or of what the call may do.
    package let width: Int
    /// The index of the job that ran, or the number of the error that the call threw; 0 in the plain order.
    package let pick: Int
    fileprivate let isCall: Bool
    /// Whether others noticed what the choice decided.
    package var isNoticed = true

    /// The number of jobs among which the choice was: one if nobody noticed it.
    package var alternatives: Int { isNoticed || pick != 0 ? width : 1 }
  }

  package var choices: [Choice] = []
  /// The number of jobs that ran, with and without a choice.
  package var steps = 0

  /// Records which job runs, and how many there were to choose from.
  ///
  /// - Parameter goesOn: Whether the running task goes on in its step.
  package mutating func didChoose(_ pick: Int, of width: Int, goesOn: Bool = false) {
    if !goesOn { steps += 1 }
    if width > 1 { choices.append(Choice(width: width, pick: pick, isCall: false)) }
  }

  /// Records the number of the error that a call throws, or 0, and how many things it could do.
  package mutating func didCall(throwing error: Int, of width: Int) {
    choices.append(Choice(width: width, pick: error, isCall: true))
  }

  /// Whether some call could fail.
  package var hasCalls: Bool { choices.contains { $0.isCall } }

  /// The number of calls that failed.
  package var failedCalls: Int { choices.count { $0.isCall && $0.pick != 0 } }

  package static func == (lhs: ChoiceRecord, rhs: ChoiceRecord) -> Bool {
    lhs.steps == rhs.steps
      && lhs.choices.elementsEqual(rhs.choices) { $0.width == $1.width && $0.pick == $1.pick }
  }

  package var switches: [Schedule.Switch] {
    choices.indices.lazy.filter { choices[$0].pick != 0 }
      .map { .init(choice: $0, index: choices[$0].pick) }
  }

  /// Identifies the choices; the same on every machine.
  package var fingerprint: UInt32 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ number: Int) {
      hash = (hash ^ UInt64(bitPattern: Int64(number))) &* 0x0000_0100_0000_01B3
      hash ^= hash >> 29
    }
    for choice in choices {
      add(choice.width)
      add(choice.pick)
    }
    return UInt32(truncatingIfNeeded: hash & 0xFF_FFFF)
  }
}
