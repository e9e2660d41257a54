import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks

@Suite("A job that blocks the thread of a schedule")
struct BlockedScheduleTests {
  @Test("is warned of once, and short ones in many schedules aren't")
  func blocking() async throws {
    let (watch, checks) = (JobWatch(), Shared(1))
    let explorer = Explorer([]) { for _ in 0..<checks.value { watch.check() } }
    watch.add(explorer, at: explorer.place)
    let none = await failures {
      for _ in 0..<20 { _ = await explorer.run(.given(.plain), seed: 0) }
    }
    #expect(none.isEmpty, "\(none)")
    #expect(explorer.runningJob == nil)
    checks.update { $0 = 20 }
    let found = await failures { _ = await explorer.run(.given(.plain), seed: 0) }
    #expect(found.count == 1 && found.first?.isWarning == true, "\(found)")
    #expect(found.first?.message.contains("has been running for 5.0 seconds") == true, "\(found)")
  }
}
