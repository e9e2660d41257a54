import ComposableReducers
import ComposableTesting
import TestSupport
import Testing

/// What `send` returns, where an effect hangs.
@Suite("Waiting for what an action has started")
struct TaskFinishTests {
  @Test("fails where an effect hangs, names it and its place, and goes on")
  func hangs() async {
    let gate = Gate()
    let store = Search.store(.init(clock: TestClock(), hang: { await gate.wait() }))
    store.timeout = .milliseconds(10)
    var line = 0
    let failures = await failures {
      line = #line + 1
      let task = await store.send(.hang)
      await task.finish()
      await task.cancelAndFinish()
    }
    expectOne(
      failures, atLine: line, containing: "the end of .hang",
      "  an effect of .hang, created at ComposableTestingTests/Search.swift:\(Search.hangingLine)\n"
    )
    await store.finish()
    gate.open()
  }

  @Test("names no effect of another action, which the test goes on to wait for")
  func others() async {
    let (clock, gate) = (TestClock(), Gate())
    let store = Search.store(.init(clock: clock, hang: { await gate.wait() }))
    store.timeout = .milliseconds(10)
    await store.send(.startTimer)
    let failures = await failures { await store.send(.hang).finish() }
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("startTimer") == false)
    await clock.advance(by: .seconds(1))
    await store.receive(.ticked) { $0.ticks = 1 }
    await store.send(.stopTimer)
    await store.finish()
    gate.open()
  }

  @Test("lasts as long as the effects, where another task of the test lets them end")
  func ends() async {
    let (clock, gate) = (TestClock(), Gate())
    let store = Search.store(.init(clock: clock, hang: { await gate.wait() }))
    let task = await store.send(.hang)
    async let end: Void = task.finish()
    await gate.waitForArrivals()
    gate.open()
    await end
    await store.finish()
  }
}
