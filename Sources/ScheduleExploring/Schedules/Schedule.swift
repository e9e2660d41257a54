internal import StandardDependencies

/// An order of a test's jobs, as its differences from the plain one: first in, first out, and every
/// call succeeds.
struct Schedule: Sendable, Equatable {
  /// A choice at which a job other than the longest-ready one runs, or at which a call fails.
  struct Switch: Sendable, Equatable {
    /// The index of the choice in a run, from 0.
    ///
    /// A choice occurs when two or more jobs are ready, and where a call may fail.
    var choice: Int
    /// The index of the chosen job, counted from the oldest, or the number of the error; never 0.
    var index: Int
  }

  /// In the order of their choices.
  var switches: [Switch] = []
  /// The seed of a run's random numbers.
  var seed: UInt64 = 0

  /// First in, first out.
  static let plain = Schedule()
}

/// The choices of a run, and the number of jobs, or of what a call may do, at each.
struct ChoiceRecord: Sendable, Equatable {
  /// The number of ready jobs at each choice, or of what a call may do.
  var widths: [Int32] = []
  /// Whether others noticed what each choice decided.
  var isNoticed: [Bool] = []
  /// The index of the job that ran, or the number of the error that a call threw.
  var picks: [Int32] = []
  /// Whether a choice is what a call does.
  private(set) var isCall: [Bool] = []
  /// The number of jobs that ran, with and without a choice.
  var steps = 0

  /// Records which job runs, and how many there were to choose from.
  ///
  /// - Parameter goesOn: Whether the running task goes on in its step.
  mutating func didChoose(_ pick: Int, of width: Int, goesOn: Bool = false) {
    if !goesOn { steps += 1 }
    guard width > 1 else { return }
    widths.append(Int32(truncatingIfNeeded: width))
    isNoticed.append(true)
    picks.append(Int32(truncatingIfNeeded: pick))
    isCall.append(false)
  }

  /// Records the number of the error that a call throws, or 0, and how many things it could do.
  mutating func didCall(throwing error: Int, of width: Int) {
    didChoose(error, of: width, goesOn: true)
    isCall[isCall.count - 1] = true
  }

  /// Whether some call could fail.
  var hasCalls: Bool { isCall.contains(true) }

  /// The number of calls that failed.
  var failedCalls: Int { picks.indices.count { isCall[$0] && picks[$0] != 0 } }

  static func == (lhs: ChoiceRecord, rhs: ChoiceRecord) -> Bool {
    lhs.widths == rhs.widths && lhs.picks == rhs.picks && lhs.steps == rhs.steps
  }

  /// The number of jobs among which each choice was, from a certain one on.
  ///
  /// There was one if nobody noticed the choice.
  func alternatives(at choice: Int) -> Int {
    isNoticed[choice] || picks[choice] != 0 ? Int(widths[choice]) : 1
  }

  /// The number of choices that others noticed.
  var noticedCount: Int { isNoticed.count { $0 } }

  var switches: [Schedule.Switch] {
    picks.indices.lazy.filter { picks[$0] != 0 }.map { .init(choice: $0, index: Int(picks[$0])) }
  }

  /// Identifies the choices; the same on every machine.
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
    return UInt32(truncatingIfNeeded: hash & 0xFF_FFFF)
  }
}

/// A schedule as text for the source of a test, with a fingerprint of the run in which it was
/// found.
///
/// `7.1+12-14.2/40/9f3c2a`: at choice 7, the second-oldest job ran, and at choices 12 to 14, the
/// one after that; or a call that may fail there threw its first or second error. There were 40
/// choices, and the last part is the fingerprint of the run. A fourth part is the seed of the random
/// numbers, if they were used. The empty token is the plain order. The token of a run that didn't end
/// has no number of choices and no fingerprint: `7.1` or `7.1///5f`.
struct ScheduleToken: Sendable, Equatable {
  var schedule: Schedule
  /// The number of choices and the fingerprint; `nil` for a token that fits any test.
  var fit: Fit?

  struct Fit: Sendable, Equatable {
    var choices: Int
    var fingerprint: UInt32
  }

  /// The number of choices in a token without a fit.
  private static let mostChoices = 200_000

  /// The token of a run that didn't end.
  init(_ schedule: Schedule) {
    self.schedule = schedule
  }

  init(_ schedule: Schedule, foundIn record: ChoiceRecord) {
    self.schedule = schedule
    fit =
      schedule == .plain
      ? nil : Fit(choices: record.picks.count, fingerprint: record.fingerprint)
  }

  /// Parses a token; `nil` if the text isn't one.
  init?(_ text: String) {
    schedule = .plain
    if text.isEmpty { return }
    let parts = text[...].split(separator: "/", omittingEmptySubsequences: false)
    if parts.count >= 3, let choices = Self.number(parts[1]),
      let fingerprint = UInt64(digits: parts[2], radix: 16), fingerprint <= UInt32.max
    {
      fit = Fit(choices: choices, fingerprint: UInt32(fingerprint))
    } else if parts.count != 1, parts.count != 4 || !parts[1...2].allSatisfy(\.isEmpty) {
      return nil
    }
    if parts.count >= 4 {
      guard parts.count == 4, let seed = UInt64(digits: parts[3], radix: 16) else { return nil }
      schedule.seed = seed
    }
    for text in parts[0].split(separator: "+") {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 2, ends.count <= 2, let index = Self.number(parts[1]), index > 0,
        let first = Self.number(ends[0]), let last = Self.number(ends[ends.count - 1]),
        first <= last, last < fit?.choices ?? Self.mostChoices,
        first > schedule.switches.last?.choice ?? -1
      else { return nil }
      schedule.switches += (first...last).map { Schedule.Switch(choice: $0, index: index) }
    }
  }

  private static func number(_ text: Substring) -> Int? {
    guard let number = UInt64(digits: text), number <= Int32.max else { return nil }
    return Int(number)
  }

  /// Whether a run is the one that produced the token.
  func fits(_ record: ChoiceRecord) -> Bool {
    guard let fit else { return true }
    return fit.choices == record.picks.count && fit.fingerprint == record.fingerprint
  }

  var text: String {
    let seed = schedule.seed == 0 ? "" : "/" + String(schedule.seed, radix: 16)
    guard let fit else { return seed.isEmpty ? switches : "\(switches)//\(seed)" }
    let hexadecimal = String(UInt64(fit.fingerprint), radix: 16)
    let fingerprint = String(repeating: "0", count: max(0, 6 - hexadecimal.count)) + hexadecimal
    return "\(switches)/\(fit.choices)/\(fingerprint)\(seed)"
  }

  private var switches: String {
    var runs: [(first: Int, last: Int, index: Int)] = []
    for next in schedule.switches {
      if let run = runs.last, run.last == next.choice - 1, run.index == next.index {
        runs[runs.count - 1].last = next.choice
      } else {
        runs.append((next.choice, next.choice, next.index))
      }
    }
    return runs.map { $0 == $1 ? "\($0).\($2)" : "\($0)-\($1).\($2)" }.joined(separator: "+")
  }
}

extension UInt64 {
  /// The number that digits stand for; `nil` if there is none, or another character.
  ///
  /// Not the standard initializer, whose specialization for each type takes long to compile.
  init?(digits: Substring, radix: UInt64 = 10) {
    if digits.isEmpty { return nil }
    var number: UInt64 = 0
    for digit in digits.unicodeScalars {
      let value: UInt32 =
        switch digit {
        case "0"..."9": digit.value - 48
        case "a"..."z": digit.value - 87
        default: .max
        }
      guard value < radix else { return nil }
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: radix)
      let (sum, isSumTooLarge) = product.addingReportingOverflow(UInt64(value))
      if isTooLarge || isSumTooLarge { return nil }
      number = sum
    }
    self = number
  }
}
