import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks

@Suite("The report of a schedule that behaves differently when it runs again")
struct ScheduleReportTests {
  /// Creates the result of a run in which the given numbers of jobs were ready.
  private func result(
    widths: [Int], steps: Int = 9, issues: [RunFailure] = [], outsideCount: Int = 0
  ) -> ScheduleResult {
    var record = ChoiceRecord()
    for width in widths { record.didChoose(0, pick: 0, of: width) }
    record.steps = steps
    return ScheduleResult(
      schedule: .plain, record: record, ending: .returned, issues: issues, trace: nil,
      outsideCount: outsideCount)
  }

  private func report(_ found: ScheduleResult, _ again: ScheduleResult) -> String {
    let failure = ScheduleFailure(number: 7, found: found, shown: found, doubt: .again(again))
    return ScheduleReport(
      failure: failure, schedules: 1_000, seed: 3, form: .trait, timeout: .seconds(5)
    ).text
  }

  @Test("names the first choice at which different numbers of jobs were ready")
  func choice() {
    let issues = [RunFailure(kind: "Issue recorded", place: "")]
    let report = report(
      result(widths: [2, 3, 5, 2], issues: issues), result(widths: [2, 3, 4, 3]))
    #expect(report.contains("schedule 7 of 1,000 (seed 3), but not every time"), "\(report)")
    let difference = "They differ at choice 2: 5 jobs were ready at first, 4 the second time."
    #expect(report.contains("\n  \(difference)\n"), "\(report)")
  }

  @Test("names the numbers of steps if all common choices are the same")
  func steps() {
    let report = report(result(widths: [2, 3]), result(widths: [2, 3], steps: 10))
    let difference = "They differ at the end: 9 steps at first, 10 the second time."
    #expect(report.contains("\n  \(difference)\n"), "\(report)")
  }

  @Test("names no difference of runs that differ only in their failures")
  func failures() {
    let issues = [
      RunFailure(kind: "it throws WentWrong", place: ""),
      RunFailure(kind: "Issue recorded", place: "Tests.swift:5:1"),
    ]
    let report = report(result(widths: [2], issues: issues), result(widths: [2]))
    #expect(!report.contains("They differ"), "\(report)")
    #expect(
      report.contains("\n  At first:  Issue recorded at Tests.swift:5:1; it throws WentWrong\n"),
      "\(report)")
    #expect(report.contains("\n  Then:      no failure\n"), "\(report)")
  }

  @Test("says so if both runs fail in the same way")
  func sameFailure() {
    let issues = [RunFailure(kind: "Issue recorded", place: "")]
    let report = report(
      result(widths: [2, 3], issues: issues), result(widths: [2, 4], issues: issues))
    #expect(!report.contains("not every time"), "\(report)")
    #expect(
      report.contains("in the same way each time, but the same schedule took other steps when"),
      "\(report)")
  }

  @Test("says that tasks left the executor if any did in either run")
  func outside() {
    let none = result(widths: [2])
    #expect(!report(none, none).contains("left the test's executor, so a schedule"))
    let one = report(result(widths: [2], outsideCount: 1), none)
    #expect(one.contains("\n  A task left the test's executor"), "\(one)")
    #expect(one.contains("can't choose when it comes back:"), "\(one)")
    let two = report(none, result(widths: [2], outsideCount: 2))
    #expect(two.contains("\n  Tasks left the test's executor"), "\(two)")
    #expect(two.contains("can't choose when they come back:"), "\(two)")
  }
}
