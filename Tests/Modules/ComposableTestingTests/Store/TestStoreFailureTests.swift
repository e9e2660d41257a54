import ComposableReducers
import TestSupport
import Testing

@testable import ComposableTesting

@Suite("A test store fails")
struct TestStoreFailureTests {
  private let clock = TestClock()

  @Test("if a change isn't the expected one, with the difference")
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
      containing: "The state after .queryChanged(\"a\") isn't what the test expects",
      """
        State(
      -   query: "b",
      +   query: "a",
          isLoading: true,
        … (2 lines are the same)
        )
      """)
    await store.finish()
  }

  @Test("if a change isn't asserted")
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
      containing: ".ticked changed the state, but the test doesn't describe the change",
      "-   ticks: 0,\n+   ticks: 1,")
  }

  @Test("if the closure throws")
  func closureThrows() async {
    let store = Search.store(.init(clock: clock))
    let failures = await failures { await store.send(.clear) { _ in throw Search.Failed() } }
    expectOne(
      failures, atLine: #line - 2, containing: "the state after .clear threw an error: Failed()")
  }

  @Test("if it sends an action before it asserts a received one")
  func unassertedBeforeSend() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.twice)
    let failures = await failures { await store.send(.clear) { $0.ticks = 0 } }
    expectOne(
      failures, atLine: #line - 2,
      containing: "2 actions that the test didn't assert before it sent .clear:\n  .ticked\n")
    await store.finish()
  }

  @Test("only once, if it asserts the action after it has sent the next")
  func assertedTooLate() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.twice)
    let line = #line + 2
    let first = await failures {
      await store.send(.queryChanged("a")) {
        $0.query = "a"
        $0.isLoading = true
      }
      await store.receive(.ticked) { $0.ticks = 1 }
      await clock.advance(by: .seconds(1))
      await store.receive(Search.Action.toTicked) { $0.ticks = 2 }
      await store.receive(Search.Action.toLoaded) {
        $0.isLoading = false
        $0.results = ["a1", "a2"]
      }
    }
    expectOne(first, atLine: line, containing: "assert before it sent .queryChanged(\"a\")")
    let next = await failures { await store.receive(.ticked) }
    expectOne(next, atLine: #line - 1, containing: "Expected to receive .ticked")
    await store.finish()
  }

  @Test("only once, if it asserts the same action that comes again after the failure")
  func comesAgain() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.twice)
    let line = #line + 2
    let failures = await failures {
      await store.send(.twice)
      await store.receive(.ticked) { $0.ticks = 3 }
      await store.receive(.ticked) { $0.ticks = 4 }
      await store.finish()
    }
    expectOne(failures, atLine: line, containing: "assert before it sent .twice")
  }

  @Test("if it ends before it asserts a received action")
  func unassertedAtTheEnd() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.leave)
    let failures = await failures { await store.finish() }
    expectOne(
      failures, atLine: #line - 2,
      containing: "an action that the test didn't assert before the end:\n  .ticked\n")
    #expect(store.state.ticks == 1)
  }

  @Test("by at most twenty received actions, and the number of others", arguments: [20, 21])
  func manyUnasserted(count: Int) async {
    let reducer = Reducer<Int, Int, Void> { _, action, _ in
      action == 0 ? .merge((1...count).map { .send($0) }) : .none
    }
    let store = TestStore(initialState: 0, reducer: reducer, environment: ())
    await store.send(0)
    let failures = await failures { await store.finish() }
    #expect(failures.count == 1)
    let lines = failures.first?.message.split(separator: "\n").dropFirst().dropLast() ?? []
    let others = count == 20 ? [] : ["  … (1 more)"]
    #expect(lines.map(String.init) == (1...20).map { "  \($0)" } + others)
  }

  @Test("at its creation's line, if it is released with unasserted actions and running effects")
  func released() async throws {
    var line = 0
    let failures = await failures {
      line = #line + 1
      let store = TestStore(
        initialState: Search.State(), reducer: Search.reducer, environment: .init(clock: clock))
      await store.send(.startTimer)
      await store.send(.twice)
    }
    #expect(failures.map(\.location?.line) == [line, line])
    let messages = failures.map(\.message)
    #expect(
      messages.first?.contains("2 actions that the test didn't assert before the store") == true)
    #expect(messages.last?.contains("still running when the store is released") == true)
    #expect(messages.last?.contains("an effect of .startTimer") == true)
    try await clock.checkSuspension()
  }

  @Test("but not if it is released by a task that is canceled, as by `Test.cancel()`")
  func canceled() async {
    let failures = await failures {
      await Task { [clock] in
        let store = TestStore(
          initialState: Search.State(), reducer: Search.reducer, environment: .init(clock: clock))
        await store.send(.startTimer)
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      }.value
    }
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test("only in what it asserts, if it isn't exhaustive")
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
      failures.last?.message.contains("It received:\n  .loaded([\"a1\", \"a2\"])") == true)
    await store.finish()
  }

  @Test("if the closure changes nothing and it is exhaustive")
  func closureChangesNothing() async {
    let store = Search.store(.init(clock: clock))
    var lines: [Int] = []
    let failures = await failures {
      lines.append(#line + 1)
      await store.send(.clear) { $0.query = "" }
      await store.send(.twice)
      lines.append(#line + 1)
      await store.receive(.ticked) { _ in }
      lines.append(#line + 1)
      await store.receive(.ticked) { $0.ticks = 1 }
    }
    #expect(failures.map(\.location?.line) == lines)
    #expect(failures.first?.message.contains("Expected .clear to change the state") == true)
    #expect(failures[1].message.contains("-   ticks: 0,\n+   ticks: 1,"))
    store.exhaustivity = .off
    await store.send(.clear) { $0.query = "" }
    await store.finish()
  }

  @Test("but doesn't forget twice an action that two tasks assert at the same moment")
  func assertedTwice() async {
    let store = Search.store(.init(clock: clock))
    _ = await failures {
      await store.send(.twice)
      await store.finish()
      await store.receive(.ticked)
    }
    let isTakenTwice = store.events.takeReported { _ in store.events.takeReported { _ in true } }
    #expect(!isTakenTwice)
  }

  @Test("if the asserted state isn't the state")
  func assertion() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.ticked) { $0.ticks = 1 }
    store.assert { $0.ticks = 1 }
    var lines: [Int] = []
    let failures = await failures {
      lines.append(#line + 1)
      store.assert { $0.ticks = 2 }
      lines.append(#line + 1)
      store.assert { _ in throw Search.Failed() }
    }
    #expect(failures.map(\.location?.line) == lines)
    #expect(
      failures.first?.message.contains("The state after the last action isn't what") == true)
    #expect(failures.first?.message.contains("-   ticks: 2,\n+   ticks: 1,") == true)
    #expect(failures.last?.message.contains("threw an error: Failed()") == true)
  }
}
