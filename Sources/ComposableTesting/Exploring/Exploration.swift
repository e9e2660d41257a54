/// The number of schedules that ran, and whether they are all schedules of the test.
public struct Exploration: Sendable, Equatable, CustomStringConvertible {
  /// The number of schedules that ran.
  public let schedules: Int

  /// Whether every schedule of the test ran, each once.
  ///
  /// This is true only if the number of all possible schedules doesn't exceed the number that you ask
  /// for. If the two are close, the exploration may choose at random instead, because it only
  /// estimates the first number.
  public let isExhaustive: Bool

  /// The number of schedules, with "all" before it if the exploration is exhaustive.
  public var description: String {
    let noun = schedules == 1 ? "schedule" : "schedules"
    return isExhaustive ? "all \(schedules.grouped) \(noun)" : "\(schedules.grouped) \(noun)"
  }
}

extension Int {
  /// The number with commas between thousands.
  var grouped: String {
    let digits = Array(String(self))
    return digits.indices.map { index in
      let left = digits.count - index
      return (index > 0 && left % 3 == 0 ? "," : "") + String(digits[index])
    }.joined()
  }
}
