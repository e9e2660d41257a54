import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("A job from another thread, in a schedule")
struct OutsideJobTests {
  /// Starts a task on the executor of the running schedule, from another thread.
  private static func startElsewhere(_ operation: @escaping @Sendable () -> Void) {
    let executor = TestRun.ofScope!.executor
    onSmallStack { Task(executorPreference: executor) { operation() } }
  }

  @Test("runs when nothing else can run, or after a thousand steps")
  func patience() async {
    let counts = Shared<[Int]>([])
    let runner = ScheduleRunner([]) {
      for _ in 0..<2_000 { await Task.yield() }
      for _ in 0..<2 {
        let isThere = Shared(false)
        Self.startElsewhere { isThere.update { $0 = true } }
        var count = 0
        while !isThere.value {
          await Task.yield()
          count += 1
        }
        counts.update { $0.append(count) }
      }
    }
    #expect(await runner.run(.given(.plain), seed: 0).failures.isEmpty)
    #expect(counts.value.count == 2)
    #expect(counts.value.allSatisfy { 1_000...1_010 ~= $0 }, "\(counts.value)")
  }

  @Test("runs even if the body has ended meanwhile")
  func afterTheEnd() async {
    let log = Log()
    let runner = ScheduleRunner([]) {
      Self.startElsewhere { log.append("first") }
      Self.startElsewhere { log.append("second") }
    }
    #expect(await runner.run(.given(.plain), seed: 0).failures.isEmpty)
    #expect(log.lines == ["first", "second"])
  }
}
