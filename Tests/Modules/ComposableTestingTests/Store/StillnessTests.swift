import ComposableReducers
import TestSupport
import Testing

@testable import ComposableTesting

@Suite("The stillness of a test's store")
struct StillnessTests {
  private let clock = TestClock()

  /// Waits for the executor's thread, which still runs when it tells others that it has no jobs.
  private func stillness<State, Action>(of store: TestStore<State, Action>) async -> Stillness? {
    for _ in 0..<1_000_000 {
      if let stillness = store.log.stillness { return stillness }
      await Task.yield()
    }
    return nil
  }

  @Test("is there while all effects sleep on the test's clock, with the first deadline")
  func sleeps() async throws {
    let store = Search.store(.init(clock: clock))
    await store.send(.startTimer)
    #expect(await stillness(of: store)?.next == TestClock.Instant(offset: .seconds(1)))
    await store.send(.queryChanged("a")) {
      $0.query = "a"
      $0.isLoading = true
    }
    let stillness = try #require(await stillness(of: store))
    #expect(stillness.next == TestClock.Instant(offset: .milliseconds(300)))
    #expect(stillness == store.log.stillness)
    await store.skipInFlightEffects()
    #expect(store.log.stillness == nil)
  }

  @Test("isn't there while an effect waits for something else")
  func waits() async {
    let gate = Gate()
    let store = Search.store(.init(clock: clock, hang: { await gate.wait() }))
    await store.send(.startTimer)
    await store.send(.hang)
    #expect(store.log.stillness == nil)
    gate.open()
    await store.skipInFlightEffects()
  }

  @Test("isn't there while something runs on the executor of the test")
  func runs() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.startTimer)
    let isStill = await Task(executorPreference: store.testRun.executor) {
      store.log.stillness != nil
    }.value
    #expect(!isStill)
    await store.skipInFlightEffects()
  }

  @Test("is another one after a job has run, or after the clock was advanced")
  func changes() async throws {
    let store = Search.store(.init(clock: clock))
    await store.send(.startTimer)
    let first = try #require(await stillness(of: store))
    await Task<Void, Never>(executorPreference: store.testRun.executor) {}.value
    _ = await store.testRun.executor.idle(within: .seconds(60))
    let second = try #require(await stillness(of: store))
    #expect(first != second)
    await clock.advance(by: .milliseconds(1))
    let third = try #require(await stillness(of: store))
    #expect(second != third)
    #expect(first.next == third.next)
    await store.skipInFlightEffects()
  }
}
