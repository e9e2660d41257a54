import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("The report of a schedule that behaves differently when it runs again")
struct ScheduleReportTests {
  /// Creates the result of a run in which the given numbers of jobs were ready.
  private func result(
    widths: [Int], steps: Int = 9, issues: [RunFailure] = []
  ) -> ScheduleResult {
    var record = ChoiceRecord()
    for width in widths { record.didChoose(0, of: width) }
    record.steps = steps
    return ScheduleResult(
      schedule: .plain, record: record, ending: .returned, issues: issues, trace: nil)
  }

  private func report(_ found: ScheduleResult, _ again: ScheduleResult) -> String {
    let failure = ScheduleFailure(number: 7, found: found, shown: found, doubt: .again(again))
    return ScheduleReport(
      failure: failure, schedules: 1_000, seed: 3, form: .trait, timeout: .seconds(5)
    ).text
  }

  private static let issue = [RunFailure(kind: "Issue recorded", place: "")]

  @Test("names the first choice at which different numbers of jobs were ready, or the end")
  func differences() {
    let choice = report(
      result(widths: [2, 3, 5, 2], issues: Self.issue), result(widths: [2, 3, 4, 3]))
    #expect(choice.contains("schedule 7 of 1,000 (seed 3), but not every time"), "\(choice)")
    #expect(
      choice.contains(
        "\n  They differ at choice 2: 5 jobs were ready at first, 4 the second time.\n"),
      "\(choice)")
    let end = report(result(widths: [2, 3]), result(widths: [2, 3], steps: 10))
    #expect(
      end.contains("\n  They differ at the end: 9 steps at first, 10 the second time.\n"),
      "\(end)")
  }

  @Test("says so if both runs fail in the same way")
  func sameFailure() {
    let report = report(
      result(widths: [2, 3], issues: Self.issue), result(widths: [2, 4], issues: Self.issue))
    #expect(!report.contains("not every time"), "\(report)")
    #expect(
      report.contains("in the same way each time, but the same schedule took other steps when"),
      "\(report)")
  }
}
