import TestSupport
import Testing

@testable import ComposableTesting

@Suite("The log of a test store")
struct StoreLogTests {
  @Test("doesn't keep waits that have ended")
  func endedWaits() async {
    await #expect(processExitsWith: .success) {
      let log = StoreLog<Int, Int>(state: 0, in: TestRun())
      func wait(_ times: Int) async {
        for _ in 0..<times {
          log.didReceive(1, state: 1)
          _ = await log.wait(within: .seconds(60)) { $0.first?.action }
          _ = log.takeAllReceived()
        }
      }
      await wait(1_000)
      let before = Allocations.bytesInUse
      await wait(10_000)
      precondition(Allocations.bytesInUse - before < 200_000)
    }
  }
}
