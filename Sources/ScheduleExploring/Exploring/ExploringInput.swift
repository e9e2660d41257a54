internal import TestRuntime
internal import Testing

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Checks the arguments of an exploration, and fails the test if they are invalid.
enum ExploringInput {
  static let variable = "EXPLORE_SCHEDULES"

  /// Returns the number of schedules to run; `nil` if it is invalid.
  static func schedules(
    _ schedules: Int, at place: SourceLocation,
    environment: String? = ProcessInfo.processInfo.environment[variable]
  ) -> Int? {
    guard schedules > 0 else {
      fail(
        "`schedules` is \(schedules), so no schedule can run.",
        "pass a positive number, or don't explore.", place)
      return nil
    }
    guard let environment else { return schedules }
    guard let raised = UInt64(digits: environment[...]), raised > 0, raised <= Int32.max else {
      fail(
        "`\(variable)` is \(String(reflecting: environment)), which isn't a positive number.",
        "run `\(variable)=100000 swift test`.", place)
      return nil
    }
    return max(schedules, Int(raised))
  }

  static func token(_ text: String, at place: SourceLocation) -> ScheduleToken? {
    if let token = ScheduleToken(text) { return token }
    fail(
      "\(String(reflecting: text)) isn't the token of a schedule.",
      """
      copy the token from a failure of `.exploring`, such as "7.1/40/9f3c2a", or use "" for the plain \
      order.
      """, place)
    return nil
  }

  /// Whether no schedule of another exploration is running here.
  static func isOutermost(at place: SourceLocation) -> Bool {
    guard JobOrder.explored != nil else { return true }
    fail(
      "`explore` was called inside a test whose schedules are already explored.",
      "remove the trait, or the call of `explore`.", place)
    return false
  }

  static func fail(_ problem: String, _ remedy: String, _ place: SourceLocation) {
    TestFailure.record("\(problem)\n  Instead: \(remedy)", at: place)
  }
}
