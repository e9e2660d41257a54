import ComposableReducers
import ComposableTesting
import TestSupport
import Testing

/// What `send` returns, where only the test's clock could end an effect.
@Suite("Waiting for what an action has started, while its effects sleep on the test's clock")
struct TaskSleepTests {
  private enum Action: Equatable {
    case begin
    case work
    case stop
    case race
    case part
  }

  /// The dependencies of the feature under test.
  private struct Environment: Sendable {
    let clock: TestClock
    var prepare: @Sendable () async -> Void = {}
    var work: @Sendable () async -> Void = {}
  }

  private static let reducer = Reducer<Int, Action, Environment> { state, action, environment in
    switch action {
    case .begin:
      .run { _ in
        await environment.prepare()
        try? await environment.clock.sleep(for: .seconds(1))
      }
      .cancellable(id: 1)
    case .work:
      .run { send in
        await environment.work()
        await send(.stop)
      }
    case .stop:
      .cancel(id: 1)
    case .part:
      .run { send in
        try await send.withTaskCancellation(id: 2) { send in
          try await send.withTaskCancellation(id: 3) { _ in
            try await environment.clock.sleep(for: .seconds(3))
          }
        }
      }
    case .race:
      .run { _ in
        await withTaskGroup { group in
          group.addTask { try? await environment.clock.sleep(for: .seconds(3)) }
          group.addTask { await environment.work() }
          await group.next()
          group.cancelAll()
        }
      }
    }
  }

  private func store(_ environment: Environment) -> TestStore<Int, Action> {
    let store = TestStore(initialState: 0, reducer: Self.reducer, environment: environment)
    // No test here is meant to wait for this.
    store.timeout = .seconds(1_000_000)
    return store
  }

  @Test("fails early, names the effects and their deadlines, and goes on")
  func fails() async {
    await failsEarly()
  }

  @Test("fails early under a trait", .isolatedDependencies)
  func failsUnderATrait() async {
    await failsEarly()
  }

  private func failsEarly() async {
    let store = store(.init(clock: TestClock()))
    var line = 0
    let failures = await failures {
      line = #line + 1
      await store.send(.begin).finish()
    }
    expectOne(
      failures, atLine: line,
      containing:
        """
        The test waits for the end of .begin, but these effects sleep on the test's clock, \
        until 1.0 seconds or later, and nothing advances it:
          an effect of .begin, created at ComposableTestingTests/TaskSleepTests.swift:
        """, ", which sleeps on the test's clock until 1.0 seconds\n  Instead: let them end")
    await store.finish()
  }

  @Test("fails early if an effect began to sleep after work elsewhere")
  func sleepsLater() async {
    let gate = Gate()
    let store = store(.init(clock: TestClock(), prepare: { await gate.wait() }))
    let failures = await failures {
      let task = await store.send(.begin)
      Task {
        await gate.waitForArrivals()
        gate.open()
      }
      await task.finish()
    }
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("until 1.0 seconds or later") == true)
    await store.finish()
  }

  @Test("lasts until another task has advanced the clock, even if that takes many turns")
  func advancedElsewhere() async {
    let clock = TestClock()
    let store = store(.init(clock: clock))
    let task = await store.send(.begin)
    let other = Task {
      for _ in 0..<20 { await Task.yield() }
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
    let store = store(.init(clock: clock))
    let task = await store.send(.begin)
    async let advance: Void = {
      for _ in 0..<20 { await Task.yield() }
      await clock.advance(by: .milliseconds(500))
      for _ in 0..<20 { await MainActor.run {} }
      await clock.advance(by: .milliseconds(500))
    }()
    await task.finish()
    await advance
    await store.finish()
  }

  @Test("lasts as long as it takes if the task that sent the action doesn't wait itself")
  func waitsInAChild() async {
    let clock = TestClock()
    let store = store(.init(clock: clock))
    let task = await store.send(.begin)
    async let end: Void = task.finish()
    await failEarlyElsewhere()
    await clock.advance(by: .seconds(1))
    await end
    await store.finish()
  }

  @Test("lasts until another effect, which works elsewhere, has ended the sleep")
  func endedByAnotherEffect() async {
    let gate = Gate()
    let store = store(.init(clock: TestClock(), work: { await gate.wait() }))
    store.exhaustivity = .off
    let task = await store.send(.begin)
    await store.send(.work)
    let other = Task {
      await gate.waitForArrivals()
      await failEarlyElsewhere()
      gate.open()
    }
    await task.finish()
    await other.value
    await store.finish()
  }

  @Test("names a child task that sleeps, when the time is up")
  func childSleeps() async {
    let gate = Gate()
    let store = store(.init(clock: TestClock(), work: { await gate.wait() }))
    store.timeout = .milliseconds(10)
    let failures = await failures {
      await store.send(.race).finish()
      await store.send(.race)
      await store.receive(.stop)
      await store.finish()
    }
    #expect(failures.count == 3)
    for failure in failures {
      #expect(failure.message.contains("still running"), "\(failure.message)")
      #expect(
        failure.message.contains(
          ", with a child task that sleeps on the test's clock until 3.0 seconds"),
        "\(failure.message)")
    }
    gate.open()
    await store.finish()
  }

  @Test("names a cancellable part of an effect that sleeps as a child task, when the time is up")
  func partSleeps() async {
    let store = store(.init(clock: TestClock()))
    store.timeout = .milliseconds(10)
    let failures = await failures { await store.send(.part).finish() }
    #expect(failures.count == 1)
    let message = failures.first?.message
    #expect(
      message?.contains(", with a child task that sleeps on the test's clock until 3.0") == true,
      "\(failures)")
  }

  /// Takes longer than it takes to fail early, without a job on the executor of the test.
  private func failEarlyElsewhere() async {
    await withDependencies {
      $0.testRun = TestRun()
    } operation: {
      for _ in 0..<3 {
        let store = store(.init(clock: TestClock()))
        let failures = await failures { await store.send(.begin).finish() }
        #expect(failures.count == 1)
      }
    }
  }
}
