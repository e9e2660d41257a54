import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks

@Suite("A job that blocks the thread of a schedule")
struct BlockedScheduleTests {
  @Test("is warned of once")
  func blocking() async throws {
    let (watch, checks) = (JobWatch(), Shared(10))
    let explorer = Explorer([]) { for _ in 0..<checks.value { watch.check() } }
    watch.add(explorer, at: explorer.place)
    let none = await failures { _ = await explorer.run(.given(.plain), seed: 0) }
    #expect(none.isEmpty, "\(none)")
    watch.check()
    checks.update { $0 = 20 }
    let found = await failures { _ = await explorer.run(.given(.plain), seed: 0) }
    #expect(found.count == 1 && found.first?.isWarning == true, "\(found)")
    #expect(found.first?.message.contains("has been running for 5.0 seconds") == true, "\(found)")
  }

  @Test("has a number of its own among the jobs of all schedules, while it runs")
  func numbers() async throws {
    let (running, jobs) = (Shared<Explorer?>(nil), Shared<[Int?]>([]))
    let explorer = Explorer([]) {
      for _ in 0..<2 {
        jobs.update { $0.append(running.value?.runningJob) }
        await Task.yield()
      }
    }
    running.update { $0 = explorer }
    defer { running.update { $0 = nil } }
    for _ in 0..<2 { _ = await explorer.run(.given(.plain), seed: 0) }
    #expect(Set(try jobs.value.map { try #require($0) }).count == 4)
    #expect(explorer.runningJob == nil)
  }
}
