import ComposableReducers
import ComposableTesting
import Synchronization
import TestSupport
import Testing

@Suite("A test store fails")
struct TestStoreFailureTests {
  private let clock = TestClock()

  @Test("where a change is not the expected one, with the difference")
  func wrongChange() async {
    let store = Search.store(.init(clock: clock))
    var line = 0
    let failures = await failures {
      line = #line + 1
      await store.send(.queryChanged("a")) {
        $0.query = "b"
        $0.isLoading = true
      }
      await store.send(.clear) {
        $0.query = ""
        $0.isLoading = false
      }
    }
    expectOne(
      failures, atLine: line,
      containing: "The state after .queryChanged(\"a\") is not the one that the test expects",
      """
        State(
      -   query: "b",
      +   query: "a",
          isLoading: true,
        … (3 lines are the same)
      """)
    await store.finish()
  }

  @Test("where a change is not asserted")
  func unassertedChange() async {
    let store = Search.store(.init(clock: clock))
    var line = 0
    let failures = await failures {
      line = #line + 1
      await store.send(.ticked)
      await store.send(.ticked) { $0.ticks = 2 }
    }
    expectOne(
      failures, atLine: line,
      containing: ".ticked has changed the state, and the test does not say how",
      "-   ticks: 0,\n+   ticks: 1,")
  }

  @Test("where a change of a received action is not the expected one")
  func wrongChangeOfReceived() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.twice)
    var line = 0
    let failures = await failures {
      await store.receive(.ticked) { $0.ticks = 1 }
      line = #line + 1
      await store.receive(/Search.Action.ticked) { $0.ticks = 3 }
    }
    expectOne(failures, atLine: line, containing: "-   ticks: 3,\n+   ticks: 2,")
    await store.finish()
  }

  @Test("where the closure throws")
  func closureThrows() async {
    let store = Search.store(.init(clock: clock))
    var line = 0
    let failures = await failures {
      line = #line + 1
      await store.send(.clear) { _ in throw Search.Failed() }
    }
    expectOne(failures, atLine: line, containing: "could not be told: Failed()")
  }

  @Test("where an action was received and not asserted before the next is sent")
  func unassertedBeforeSend() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.twice)
    var line = 0
    let failures = await failures {
      line = #line + 1
      await store.send(.clear) { $0.ticks = 0 }
    }
    expectOne(
      failures, atLine: line,
      containing: "2 actions that the test had not asserted before .clear is sent:\n  .ticked\n")
    await store.finish()
  }

  @Test("where an action was received and not asserted at the end")
  func unassertedAtTheEnd() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.leave)
    var line = 0
    let failures = await failures {
      line = #line + 1
      await store.finish()
    }
    expectOne(
      failures, atLine: line,
      containing: "an action that the test had not asserted at the end:\n  .ticked\n")
    #expect(store.state.ticks == 1)
  }

  @Test("where another action is received, with the difference")
  func otherAction() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.queryChanged("a")) {
      $0.query = "a"
      $0.isLoading = true
    }
    await clock.advance(by: .seconds(1))
    var line = 0
    let failures = await failures {
      line = #line + 1
      await store.receive(.loaded(["a1", "a3"]))
    }
    expectOne(
      failures, atLine: line,
      containing: "another action than .loaded([\"a1\", \"a3\"]) (- expected, + actual):",
      "      \"a1\",\n-     \"a3\",\n+     \"a2\",\n")
    await store.finish()
  }

  @Test("where an action is received that is not in the case, or does not fulfill the condition")
  func otherCase() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.twice)
    var lines: [Int] = []
    let failures = await failures {
      lines.append(#line + 1)
      await store.receive(/Search.Action.failed)
      lines.append(#line + 1)
      await store.receive(where: { $0 == .clear })
    }
    #expect(failures.map(\.location?.line) == lines)
    #expect(failures.first?.message.contains("case with String: .ticked") == true)
    #expect(failures.last?.message.contains("the condition: .ticked") == true)
    await store.finish()
  }

  @Test("at once where nothing is received and nothing is in flight")
  func nothingReceived() async {
    let store = Search.store(.init(clock: clock))
    store.timeout = .seconds(1_000_000)
    var line = 0
    let failures = await failures {
      line = #line + 1
      await store.receive(.ticked)
    }
    expectOne(
      failures, atLine: line,
      containing: "has not received .ticked. No effect is in flight that could send it.")
  }

  @Test("where an effect hangs, with the place where it was made and the action that started it")
  func hangs() async {
    let gate = Gate()
    let store = Search.store(.init(clock: clock, hang: { await gate.wait() }))
    await store.send(.hang)
    await store.send(.startTimer)
    var lines: [Int] = []
    let failures = await failures {
      lines.append(#line + 1)
      await store.receive(.ticked, timeout: .milliseconds(10))
      lines.append(#line + 1)
      await store.finish(timeout: .milliseconds(10))
    }
    #expect(failures.map(\.location?.line) == lines)
    for failure in failures {
      let effect =
        "  an effect of .hang, made at ComposableTestingTests/Search.swift:\(Search.hangingLine)\n"
      #expect(failure.message.contains(effect), "\(failure.message)")
      #expect(failure.message.contains("  an effect of .startTimer, made at "))
    }
    gate.open()
    await store.send(.stopTimer)
    await store.finish()
  }

  @Test("when it goes away with actions that were not asserted, where it was made")
  func goesAwayWithActions() async {
    var line = 0
    let failures = await failures {
      line = #line + 1
      let store = TestStore(
        initialState: Search.State(), reducer: Search.reducer, environment: .init(clock: clock))
      await store.send(.twice)
    }
    expectOne(
      failures, atLine: line, containing: "2 actions that the test had not asserted when the store")
  }

  @Test("when it goes away with effects in flight, where it was made; and cancels them")
  func goesAwayWithEffects() async throws {
    var line = 0
    let failures = await failures {
      line = #line + 1
      let store = TestStore(
        initialState: Search.State(), reducer: Search.reducer, environment: .init(clock: clock))
      await store.send(.startTimer)
    }
    expectOne(
      failures, atLine: line, containing: "still running when the store goes away",
      "an effect of .startTimer")
    try await clock.checkSuspension()
  }

  @Test("in what is asserted, where it is not exhaustive")
  func nonExhaustive() async {
    let store = Search.store(.init(clock: clock))
    store.exhaustivity = .off
    await store.send(.startTimer)
    await clock.advance(by: .seconds(1))
    var lines: [Int] = []
    let failures = await failures {
      lines.append(#line + 1)
      await store.send(.queryChanged("a")) { $0.query = "b" }
      lines.append(#line + 1)
      await store.receive(.failed("x"), timeout: .milliseconds(10))
      await store.send(.stopTimer)
      await clock.advance(by: .seconds(1))
      lines.append(#line + 1)
      await store.receive(.failed("x"))
    }
    #expect(failures.map(\.location?.line) == lines)
    #expect(failures.first?.message.contains("-   query: \"b\",\n+   query: \"a\",") == true)
    #expect(failures.first?.message.contains("isLoading: false") == false)
    #expect(
      failures.last?.message.contains("It has received:\n  .loaded([\"a1\", \"a2\"])") == true)
    await store.finish()
  }

  @Test("where something runs on and on, instead of waiting for ever")
  func restless() async {
    let isStopped = Atomic(false)
    let reducer = Reducer<Int, Bool, Void> { _, _, _ in
      .run { _ in while !isStopped.load(ordering: .relaxed) { await Task.yield() } }
    }
    let store = TestStore(initialState: 0, reducer: reducer, environment: ())
    store.timeout = .milliseconds(10)
    var lines: [Int] = []
    let failures = await failures {
      lines.append(#line + 1)
      await store.send(true)
      lines.append(#line + 1)
      await store.receive(true)
      lines.append(#line + 1)
      await store.finish()
    }
    #expect(failures.map(\.location?.line) == lines)
    for failure in failures { #expect(failure.message.contains("does not come to rest")) }
    isStopped.store(true, ordering: .relaxed)
    store.timeout = .seconds(5)
    await store.finish()
  }
}
