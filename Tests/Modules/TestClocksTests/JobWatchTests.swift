import TestSupport
import Testing

@testable import TestClocks

@Suite("A job that blocks its thread")
struct JobWatchTests {
  private let watch = JobWatch()

  @Test("is warned of once, at the test's place, if something waits for it")
  func waitedFor() async {
    let order = FirstInFirstOut()
    let executor = TestExecutor(order: order)
    let place = #_sourceLocation
    watch.add(order, at: place)
    let found = await failures {
      let blocking = Task(executorPreference: executor) {
        async let other: Void = Task(executorPreference: executor) {}.value
        while order.runningJob == nil { await Task.yield() }
        for _ in 0..<20 { watch.check() }
        await other
      }
      await blocking.value
    }
    #expect(found.count == 1 && found.first?.isWarning == true, "\(found)")
    #expect(found.first?.location == place)
    #expect(found.first?.message.contains("has been running for 5.0 seconds") == true, "\(found)")
  }

  @Test("isn't warned of if nothing waits for it, or if it suspends")
  func others() async {
    let order = FirstInFirstOut()
    let executor = TestExecutor(order: order)
    watch.add(order, at: #_sourceLocation)
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
