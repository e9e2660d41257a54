import TestSupport
import Testing

@testable import ScheduleExploring
@testable import TestRuntime

@Suite("A job that blocks its thread")
struct JobWatchTests {
  private let watch = JobWatch()
  private let executor = TestExecutor(order: FirstInFirstOut())

  /// Expects one warning of a job that other jobs wait for.
  private func expectWarning(
    on executor: @escaping @Sendable () -> TestExecutor,
    run: (@escaping @Sendable () async -> Void) async -> Void
  ) async {
    let place = #_sourceLocation
    let found = await failures {
      await run {
        let executor = executor()
        watch.add(executor, at: place)
        async let other: Void = Task(executorPreference: executor) {}.value
        while executor.runningJob == nil { await Task.yield() }
        for _ in 0..<20 { watch.check() }
        await other
      }
    }
    #expect(found.count == 1 && found.first?.isWarning == true, "\(found)")
    #expect(found.first?.location == place)
    let name = Test.current?.displayName ?? ""
    #expect(
      found.first?.message.contains("the test “\(name)” has been running for 5.0 seconds") == true,
      "\(found)")
  }

  @Test("is warned of once, at the test's place, if something waits for it")
  func waitedFor() async {
    await expectWarning(on: { executor }) { job in
      await Task(executorPreference: executor) { await job() }.value
    }
  }

  @Test("is warned of in a schedule, too")
  func explored() async {
    await expectWarning(on: { TestRun.running.executor }) { job in
      _ = await Explorer([]) { await job() }.run(.given(.plain), seed: 0)
    }
  }

  @Test("isn't warned of if nothing waits for it, or if it suspends")
  func others() async {
    watch.add(executor, at: #_sourceLocation)
    let found = await failures {
      await Task(executorPreference: executor) {
        for _ in 0..<20 { watch.check() }
      }.value
      await withTaskExecutorPreference(executor) {
        await withDiscardingTaskGroup { group in
          for _ in 0..<2 {
            group.addTask {
              for _ in 0..<20 {
                watch.check()
                await Task.yield()
              }
            }
          }
        }
      }
    }
    #expect(found.isEmpty, "\(found)")
  }
}
