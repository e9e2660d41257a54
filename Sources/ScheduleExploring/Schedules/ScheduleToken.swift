internal import TestRuntime

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

  /// The largest number of choices in a token, which no schedule reaches.
  private static let mostChoices = 1_000_000

  /// The token of a run that didn't end.
  init(_ schedule: Schedule) {
    self.schedule = schedule
  }

  init(_ schedule: Schedule, foundIn record: ChoiceRecord) {
    self.schedule = schedule
    fit =
      schedule == .plain
      ? nil : Fit(choices: record.choices.count, fingerprint: record.fingerprint)
  }

  /// Parses a token; `nil` if the text isn't one.
  init?(_ text: String) {
    schedule = .plain
    if text.isEmpty { return }
    let parts = text[...].split(separator: "/", omittingEmptySubsequences: false)
    if parts.count >= 3, let choices = Self.number(parts[1]), choices <= Self.mostChoices,
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
    return fit.choices == record.choices.count && fit.fingerprint == record.fingerprint
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
