import Dispatch
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestRuntime

@Suite("A job that blocks its thread")
struct JobWatchTests {
  private let watch = JobWatch()
  private let executor = TestExecutor(order: FirstInFirstOut())

  /// Lets a job run for long on an executor while another one waits.
  private func occupy(_ executor: TestExecutor) async {
    async let other: Void = Task(executorPreference: executor) {}.value
    while executor.runningJob == nil { await Task.yield() }
    for _ in 0..<20 { watch.check() }
    await other
  }

  private func expect(_ found: [Failure], isWarning: Bool, at place: Testing.SourceLocation?) {
    #expect(found.count == 1 && found.first?.isWarning == isWarning, "\(found)")
    #expect(place == nil || found.first?.location == place)
    let name = Test.current?.displayName ?? ""
    #expect(found.first?.message.contains("the test “\(name)” ran for 5.0 s") == true, "\(found)")
  }

  @Test("is warned of once, at the test's place, if something waits for it")
  func waitedFor() async {
    let place = #_sourceLocation
    let found = await failures {
      watch.add(executor, at: place)
      await Task(executorPreference: executor) { await occupy(executor) }.value
    }
    expect(found, isWarning: true, at: place)
  }

  @Test("fails the test when that ends")
  func failing() async {
    let found = await failures {
      await withTestDependencies {
        await Task.yield()
        TestRun.running.executor.runOthers()
      }
    }
    expect(found, isWarning: false, at: Test.current?.sourceLocation)
  }

  @Test("fails its schedule")
  func explored() async {
    let found = await failures {
      let explorer = Explorer([]) {
        let executor = TestRun.running.executor
        watch.add(executor, at: #_sourceLocation)
        await occupy(executor)
      }
      let result = await explorer.run(.given(.plain), seed: 0)
      guard case .returned = result.ending else {
        Issue.record("\(result.ending)")
        return
      }
    }
    expect(found.filter { !$0.isWarning }, isWarning: false, at: nil)
    expect(found.filter(\.isWarning), isWarning: true, at: nil)
  }

  /// Blocks the thread, which asynchronous code may not do itself.
  private func block(until signal: DispatchSemaphore) { signal.wait() }

  @Test("lets others run beside it after a while, which may end it")
  func ends() async {
    // On a separate executor, which nothing else watches.
    let executor = TestExecutor(order: FirstInFirstOut())
    watch.add(executor, at: #_sourceLocation)
    let found = await failures {
      async let test: Void = Task(executorPreference: executor) {
        let signal = DispatchSemaphore(value: 0)
        Task(executorPreference: executor) { signal.signal() }
        block(until: signal)
      }.value
      while executor.runningJob == nil { await Task.yield() }
      for _ in 0..<20 { watch.check() }
      await test
    }
    expect(found, isWarning: true, at: nil)
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
