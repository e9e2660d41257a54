import ComposableReducers
import ComposableTesting
import TestSupport
import Testing

@Suite("A test store that expects an action fails")
struct ReceiveFailureTests {
  private let clock = TestClock()

  @Test("if another action is received, with the difference")
  func otherAction() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.queryChanged("a")) {
      $0.query = "a"
      $0.isLoading = true
    }
    await clock.advance(by: .seconds(1))
    let failures = await failures { await store.receive(.loaded(["a1", "a3"])) }
    expectOne(
      failures, atLine: #line - 2,
      containing:
        "Expected to receive .loaded([\"a1\", \"a3\"]), but the store received .loaded([\"a1\", \"a2\"])",
      "      \"a1\",\n-     \"a3\",\n+     \"a2\",\n")
    await store.finish()
  }

  @Test("if a received action isn't in the case, or doesn't match the condition")
  func otherCase() async {
    let store = Search.store(.init(clock: clock))
    await store.send(.twice)
    var lines: [Int] = []
    let failures = await failures {
      lines.append(#line + 1)
      await store.receive(Search.Action.toFailed)
      lines.append(#line + 1)
      await store.receive(where: { $0 == .clear })
    }
    #expect(failures.map(\.location?.line) == lines)
    #expect(
      failures.first?.message.contains(
        "Expected to receive an action with String, but the store received .ticked.") == true)
    #expect(
      failures.last?.message.contains("matches the condition, but the store received .ticked.")
        == true)
    await store.finish()
  }

  @Test("immediately if nothing is received and no effect is running")
  func nothingReceived() async {
    let store = Search.store(.init(clock: clock))
    store.timeout = .seconds(1_000_000)
    let failures = await failures { await store.receive(.ticked) }
    expectOne(
      failures, atLine: #line - 2,
      containing:
        "Expected to receive .ticked, but the store didn't. No effect that could send it is running."
    )
  }
}
