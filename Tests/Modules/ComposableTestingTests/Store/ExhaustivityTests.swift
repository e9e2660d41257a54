import ComposableReducers
import ComposableTesting
import TestRuntime
import TestSupport
import Testing

@Suite("Exhaustivity")
struct ExhaustivityTests {
  private let clock = TestClock()

  @Test("a test can assert only a part")
  func nonExhaustive() async {
    let store = Search.store(.init(clock: clock))
    store.exhaustivity = .off
    await store.send(.queryChanged("a")) { $0.query = "a" }
    await store.send(.twice)
    await store.send(.startTimer)
    await clock.advance(by: .seconds(2))
    await store.receive(Search.Action.toLoaded) { $0.results = ["a1", "a2"] }
    #expect(store.state.ticks == 2)
    await store.receive(.ticked) { $0.ticks = 3 }
    await store.skipReceivedActions()
    #expect(store.state.ticks == 4)
  }

  @Test("the state never goes back to one before an action that the test has sent")
  func actionsFromOutside() async {
    for round in 0..<1_000 {
      let later = { @Sendable (send: Send<Search.Action>) in
        // Not on the test's executor, so the action arrives at any time.
        for _ in 0..<(round % 10) { await Task.detached {}.value }
        await send(.ticked)
      }
      let store = Search.store(.init(clock: clock, hang: later))
      store.exhaustivity = .off
      await store.send(.hang)
      await store.send(.ticked)
      await store.finish()
      await store.skipReceivedActions(strict: false)
      #expect(store.state.ticks == 2)
    }
  }

  @Test("a closure that sets what the state is passes, and a relative change fails")
  func appliesToTheActualState() async {
    struct State: Equatable {
      var count = 0
      var isLoading = false
    }
    let reducer = Reducer<State, Int, Void> { state, number, _ in
      state.count += number
      state.isLoading = true
      return .none
    }
    let store = TestStore(initialState: State(), reducer: reducer, environment: ())
    store.exhaustivity = .off
    await store.send(1) { $0.count = 1 }
    // It changes nothing that the closure sets.
    await store.send(0) { $0.isLoading = true }
    let failures = await failures { await store.send(2) { $0.count += 2 } }
    expectOne(failures, atLine: #line - 1, containing: "-   count: 5,\n+   count: 3,")
  }

  @Test("skipping fails the test if there is nothing to skip, unless it isn't strict")
  func skipsNothing() async {
    let store = Search.store(.init(clock: clock))
    let messages = await failures {
      await store.skipReceivedActions()
      await store.skipInFlightEffects()
      await store.skipReceivedActions(strict: false)
      await store.skipInFlightEffects(strict: false)
    }.map(\.message)
    #expect(messages.count == 2)
    #expect(messages.first?.contains("There are no received actions to skip.") == true)
    #expect(messages.last?.contains("There are no running effects to skip.") == true)
    // One failure for one mistake.
    let others = await failures {
      await store.send(.twice)
      await store.finish()
      await store.skipReceivedActions()
    }
    #expect(others.count == 1)
  }

  @Test("running effects are skipped, and end")
  func skipsEffects() async throws {
    let store = Search.store(.init(clock: clock))
    await store.send(.startTimer)
    await store.skipInFlightEffects()
    try await clock.checkSuspension()
    await store.finish()
    await store.send(.ticked) { $0.ticks = 1 }
  }

  @Test("a skipped effect that ignores its cancellation isn't awaited")
  func skipsStubbornEffects() async {
    let gate = Gate()
    let store = Search.store(.init(clock: clock, hang: { _ in await gate.wait() }))
    await store.send(.hang)
    await store.skipInFlightEffects()
    await store.finish(timeout: .milliseconds(10))
    gate.open()
  }

  @Test("skipped events are shown on request, without failing the test", .needsWarnings)
  func showsSkipped() async {
    let gate = Gate()
    let store = Search.store(.init(clock: clock, hang: { _ in await gate.wait() }))
    store.exhaustivity = .off(showingSkipped: true)
    var lines: [Int] = []
    let shown = await failures {
      lines.append(#line + 1)
      await store.send(.queryChanged("a")) { $0.query = "a" }
      await store.send(.twice)
      await clock.advance(by: .seconds(1))
      lines += [#line + 1, #line + 1]
      await store.receive(.loaded(["a1", "a2"])) { $0.isLoading = false }
      await store.send(.twice)
      lines.append(#line + 1)
      await store.skipReceivedActions()
      await store.send(.hang)
      lines.append(#line + 1)
      await store.skipInFlightEffects()
    }
    #expect(shown.map(\.location?.line) == lines)
    #expect(shown.map(\.isWarning) == shown.map { _ in true })
    let texts = [
      "-   isLoading: false,\n+   isLoading: true,",
      "The test skips 2 actions that the store received:\n  .ticked\n  .ticked",
      "-   results: [],\n+   results: [", "The test skips 2 actions", "an effect of .hang",
    ]
    for (shown, text) in zip(shown, texts) { #expect(shown.message.contains(text), "\(shown)") }
    gate.open()
    await store.finish()
  }

  @Test("a closure that suits only the state after the action leaves no failure")
  func suitsTheActualState() async {
    let reducer = Reducer<[String], Bool, Void> { state, _, _ in
      state += ["a", "b"]
      return .none
    }
    let failures = await collectFailures {
      for _ in 0..<2 {
        let store = TestStore(initialState: [], reducer: reducer, environment: ())
        store.exhaustivity = .off(showingSkipped: true)
        await store.send(true) {
          #expect($0.count == 2)
          _ = try #require($0.last)
          $0[0] = "a"
        }
      }
    }
    #expect(failures.filter(\.isUnexpected).map(\.description) == [])
  }

  @Test(
    "effects that are running when the store is released are shown on request", .needsWarnings)
  func showsSkippedAtTheEnd() async {
    let shown = await failures {
      for exhaustivity in [Exhaustivity.off, .off(showingSkipped: true)] {
        let store = Search.store(.init(clock: clock))
        store.exhaustivity = exhaustivity
        await store.send(.startTimer)
      }
    }
    #expect(shown.map(\.isWarning) == [true])
    let message = shown.first?.message ?? ""
    #expect(message.contains("are still running when the store is released:\n"), "\(message)")
    #expect(message.contains("  an effect of .startTimer, created at"), "\(message)")
  }
}
