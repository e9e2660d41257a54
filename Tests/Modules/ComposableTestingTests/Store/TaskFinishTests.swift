import ComposableReducers
import ComposableTesting
import TestSupport
import Testing

/// What `send` returns, where an effect hangs or sleeps.
@Suite("Waiting for what an action has started")
struct TaskFinishTests {
  @Test("fails where an effect hangs, names it and its place, and goes on")
  func hangs() async {
    let gate = Gate()
    let store = Search.store(.init(clock: TestClock(), hang: { _ in await gate.wait() }))
    store.timeout = .milliseconds(10)
    var line = 0
    let failures = await failures {
      line = #line + 1
      let task = await store.send(.hang)
      await task.finish()
      await task.cancel()
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
    let store = Search.store(.init(clock: clock, hang: { _ in await gate.wait() }))
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

  /// A store whose action `.hang` starts an effect that sleeps on a clock.
  private func sleepingStore(
    on clock: TestClock, timeout: Duration
  ) -> TestStore<Search.State, Search.Action> {
    let store = Search.store(
      .init(clock: clock, hang: { _ in try? await clock.sleep(for: .seconds(1)) }))
    store.timeout = timeout
    return store
  }

  @Test("fails where only the test's clock could end an effect, and names its deadline")
  func sleeps() async {
    await failsInTime()
  }

  @Test("fails there under a trait, too", .isolatedDependencies)
  func sleepsUnderATrait() async {
    await failsInTime()
  }

  private func failsInTime() async {
    let store = sleepingStore(on: TestClock(), timeout: .milliseconds(10))
    let failures = await failures { await store.send(.hang).finish() }
    expectOne(
      failures, atLine: #line - 2,
      containing:
        """
        The test waits for the end of .hang, but these effects are still running after 0.01 seconds:
          an effect of .hang, created at ComposableTestingTests/Search.swift:
        """, ", which sleeps on the test's clock until 1.0 seconds\n  Instead: let them end")
    await store.finish()
  }

  @Test("lasts until another task has advanced the clock, even if that takes many turns")
  func advancedElsewhere() async {
    let clock = TestClock()
    let store = sleepingStore(on: clock, timeout: .seconds(1_000))
    let task = await store.send(.hang)
    let other = Task {
      await yield(20)
      for _ in 0..<20 { await MainActor.run {} }
      await clock.advance(by: .seconds(1))
    }
    await task.finish()
    await other.value
    await store.finish()
  }

  @Test("lasts until a child task of the test has advanced the clock", .isolatedDependencies)
  func advancedByAChild() async {
    let clock = TestClock()
    let store = sleepingStore(on: clock, timeout: .seconds(1_000))
    let task = await store.send(.hang)
    async let advance: Void = {
      await yield(20)
      await clock.advance(by: .milliseconds(500))
      for _ in 0..<20 { await MainActor.run {} }
      await clock.advance(by: .milliseconds(500))
    }()
    await task.finish()
    await advance
    await store.finish()
  }

  @Test("names a child task or cancellable part that sleeps", arguments: [false, true])
  func childSleeps(isPart: Bool) async {
    let (clock, gate) = (TestClock(), Gate())
    let store = Search.store(
      .init(
        clock: clock,
        hang: { send in
          if isPart {
            try? await send.withTaskCancellation(id: 2) { send in
              try await send.withTaskCancellation(id: 3) { _ in
                try await clock.sleep(for: .seconds(3))
              }
            }
          } else {
            await withTaskGroup { group in
              group.addTask { try? await clock.sleep(for: .seconds(3)) }
              group.addTask { await gate.wait() }
              await group.next()
              group.cancelAll()
            }
          }
        }))
    store.timeout = .milliseconds(10)
    let failures = await failures {
      await store.send(.hang).finish()
      await store.skipInFlightEffects()
      await store.send(.hang)
      await store.receive(.clear)
      await store.finish()
    }
    #expect(failures.count == 3)
    for failure in failures {
      #expect(failure.message.contains("still running"), "\(failure.message)")
      #expect(
        failure.message.contains(
          ", with child tasks that sleep on the test's clock until 3.0 seconds or later"),
        "\(failure.message)")
    }
    gate.open()
    await store.finish()
  }
}
