import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("Known ordering bugs", .tooLongUnderSanitizers)
struct OrderingBugTests {
  @Test("the plain order doesn't reveal them", arguments: OrderingBug.all)
  func plain(bug: OrderingBug) async {
    let result = await bug.runner.traced(.plain)
    #expect(result.failures.isEmpty)
  }

  @Test("each is found within a few schedules, from any seed", arguments: OrderingBug.all)
  func found(bug: OrderingBug) async {
    for seed in 0..<20 as Range<UInt64> {
      let finding = await bug.runner.search(1_000, seed: seed).finding
      #expect(
        (finding?.number ?? .max) <= bug.limit,
        "\(bug.name) from \(seed): \(String(describing: finding?.number))")
    }
  }

  @Test("a correct program passes in every schedule", arguments: OrderingBug.all)
  func correct(bug: OrderingBug) async {
    let outcome = await ScheduleRunner([], timeout: .milliseconds(50), bug.correct).search(2_000)
    #expect(outcome.exploration != nil, "\(String(describing: outcome.finding))")
  }
}
