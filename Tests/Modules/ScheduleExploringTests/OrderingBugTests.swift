import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks

@Suite("Known ordering bugs", .tooLongUnderSanitizers)
struct OrderingBugTests {
  @Test("the plain order doesn't reveal them", arguments: OrderingBug.all)
  func plain(bug: OrderingBug) async {
    let result = await Explorer([], timeout: .milliseconds(50), bug.buggy).traced(.plain)
    #expect(result.failures.isEmpty)
  }

  @Test("each is found within a few schedules, from any seed", arguments: OrderingBug.all)
  func found(bug: OrderingBug) async {
    for seed in 0..<20 as Range<UInt64> {
      let finding = await Explorer([], timeout: .milliseconds(50), bug.buggy).search(
        1_000, seed: seed
      ).finding
      #expect(
        (finding?.number ?? .max) <= bug.limit,
        "\(bug.name) from \(seed): \(String(describing: finding?.number))")
    }
  }

  @Test("a correct program passes in every schedule", arguments: OrderingBug.all)
  func correct(bug: OrderingBug) async {
    let outcome = await Explorer([], timeout: .milliseconds(50), bug.correct).search(2_000)
    #expect(outcome.exploration != nil, "\(String(describing: outcome.finding))")
  }

  @Test("a shrunk schedule fails in the same way, with few switches", arguments: OrderingBug.all)
  func shrunk(bug: OrderingBug) async throws {
    let explorer = Explorer([], timeout: .milliseconds(50), bug.buggy)
    for seed in 0..<5 as Range<UInt64> {
      let finding = try #require(await explorer.search(1_000, seed: seed).finding)
      var shrinking = Shrinking(finding.result, explorer, runs: 300)
      await shrinking.run()
      let shown = await explorer.traced(shrinking.schedule)
      #expect(shown.failures == finding.result.failures)
      let count = try ScheduleTable(trace: #require(shown.trace)).switchCount
      #expect(1...3 ~= count, "\(bug.name) from \(seed): \(shrinking.schedule)")
    }
  }
}
