import Synchronization
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

private actor Busy {
  static let shared = Busy()
  private var number = 0
  func work() { for index in 0..<2_000 { number &+= index } }
}

private actor Meeting {
  private var visits = 0

  // Returns something, because the optimizer leaves out calls that do nothing.
  func visit() -> Int {
    visits += 1
    return visits
  }

  /// Stays here until something has happened.
  func stay(until hasHappened: @Sendable () -> Bool) { while !hasHappened() {} }
}

@Suite("An actor that explored tests share")
struct SharedActorTests {
  @Test(
    "an exploration keeps no task of another test, whose parent frees it",
    .exploring(schedules: 300),
    arguments: 0..<8)
  func explored(_: Int) async {
    async let first: Void = Busy.shared.work()
    async let second: Void = Busy.shared.work()
    async let third: Void = Busy.shared.work()
    _ = await (first, second, third)
  }
  @Test("another test that uses it at the same time is named", .needsWholeSight)
  func named() async {
    let order = JobOrder(
      isWhole: true,
      at: SourceLocation(fileID: "Tests/Other.swift", filePath: "Other.swift", line: 7, column: 3))
    let (other, meeting, comes) = (
      TestRun(order: order, root: 0), Meeting(), Shared(false)
    )
    let (gate, opens) = AsyncStream<Void>.makeStream()
    let visitor = Task(executorPreference: other.executor) {
      for await _ in gate {}
      comes.update { $0 = true }
      return await meeting.visit()
    }
    let result = await ScheduleRunner([]) {
      await meeting.stay {
        opens.finish()
        return comes.value && !order.state.withLock { $0.isRunning }
      }
      await Task.yield()
    }.traced(.plain)
    #expect(await visitor.value == 1)
    let notes = result.trace.map { ScheduleTable(trace: $0).stepsOutside } ?? []
    #expect(
      notes == ["step 1: test lets a task of the test at Other.swift:7:3 use the same actor"])
  }
}
