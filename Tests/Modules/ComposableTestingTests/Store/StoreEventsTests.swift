import TestSupport
import Testing

@testable import ComposableTesting
@testable import TestClocks

@Suite("The events of a test store")
struct StoreEventsTests {
  @Test("doesn't keep waits that have ended")
  func endedWaits() async {
    await #expect(processExitsWith: .success) {
      let events = StoreEvents<Int, Int>(state: 0, in: TestRun())
      func wait(_ times: Int) async {
        for _ in 0..<times {
          events.didReceive(1, state: 1)
          _ = await events.wait(within: .seconds(60)) { $0.first?.action }
          _ = events.takeAllReceived()
        }
      }
      await wait(1_000)
      let before = Allocations.bytesInUse
      await wait(10_000)
      precondition(Allocations.bytesInUse - before < 200_000)
    }
  }
}
