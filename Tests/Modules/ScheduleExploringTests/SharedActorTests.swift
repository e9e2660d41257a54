import ComposableTesting
import TestSupport
import Testing

private actor Busy {
  static let shared = Busy()
  private var number = 0
  func work() { for index in 0..<2_000 { number &+= index } }
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
}
