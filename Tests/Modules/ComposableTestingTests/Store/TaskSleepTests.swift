import ComposableReducers
import ComposableTesting
import TestSupport
import Testing

/// What `send` returns, where only the test's clock could end an effect.
@Suite("Waiting for what an action has started, while its effects sleep on the test's clock")
struct TaskSleepTests {
  private enum Action: Equatable {
    case begin
    case stop
    case race
    case part
  }

  /// The dependencies of the feature under test.
  private struct Environment: Sendable {
    let clock: TestClock
    var work: @Sendable () async -> Void = {}
  }

  private static let reducer = Reducer<Int, Action, Environment> { state, action, environment in
    switch action {
    case .begin:
      .run { _ in try? await environment.clock.sleep(for: .seconds(1)) }
    case .stop:
      .none
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

  private func store(
    _ environment: Environment, timeout: Duration = .milliseconds(10)
  ) -> TestStore<Int, Action> {
    let store = TestStore(initialState: 0, reducer: Self.reducer, environment: environment)
    store.timeout = timeout
    return store
  }

  @Test("fails when the time is up, names the effects and their deadlines, and goes on")
  func fails() async {
    await failsInTime()
  }

  @Test("fails when the time is up under a trait, too", .isolatedDependencies)
  func failsUnderATrait() async {
    await failsInTime()
  }

  private func failsInTime() async {
    let store = store(.init(clock: TestClock()))
    let failures = await failures { await store.send(.begin).finish() }
    expectOne(
      failures, atLine: #line - 2,
      containing:
        """
        The test waits for the end of .begin, but these effects are still running after 0.01 seconds:
          an effect of .begin, created at ComposableTestingTests/TaskSleepTests.swift:
        """, ", which sleeps on the test's clock until 1.0 seconds\n  Instead: let them end")
    await store.finish()
  }

  @Test("lasts until another task has advanced the clock, even if that takes many turns")
  func advancedElsewhere() async {
    let clock = TestClock()
    let store = store(.init(clock: clock), timeout: .seconds(1_000))
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
    let store = store(.init(clock: clock), timeout: .seconds(1_000))
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

  @Test("names a child task or cancellable part that sleeps, when the time is up")
  func childSleeps() async {
    let gate = Gate()
    let store = store(.init(clock: TestClock(), work: { await gate.wait() }))
    let failures = await failures {
      await store.send(.part).finish()
      await store.skipInFlightEffects()
      await store.send(.race).finish()
      await store.send(.race)
      await store.receive(.stop)
      await store.finish()
    }
    #expect(failures.count == 4)
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
}
