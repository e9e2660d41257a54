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

  private enum Action: Equatable, Sendable {
    case typed(String)
    case found
    case stop
  }

  /// Each text has an effect with one identifier.
  private var reducer: Reducer<Int, Action, Void> {
    Reducer { [clock] _, action, _ in
      switch action {
      case .typed(let text):
        .run { send in
          try await clock.sleep(for: .seconds(text.count))
          await send(.found)
        } catch: { _, _ in
        }.cancellable(id: "search", cancelInFlight: true)
      case .found: .none
      case .stop: .cancel(id: "search")
      }
    }
  }

  @Test("and says by which action an effect was canceled that has the same identifier")
  func canceled() async {
    let store = TestStore(initialState: 0, reducer: reducer, environment: ())
    await store.send(.typed("a"))
    await store.send(.typed("ab"))
    await clock.advance(by: .seconds(1))
    let failures = await failures { await store.receive(.found) }
    expectOne(
      failures, atLine: #line - 2, containing: "an effect of .typed(\"a\"), created at",
      ", was canceled by .typed(\"ab\"), which names the same identifier")
    await clock.advance(by: .seconds(1))
    await store.receive(.found)
    await store.finish()
  }

  @Test("and says which effect of another child has an identifier that canceled nothing")
  func notReached() async {
    struct Parent: Sendable, Equatable {
      var first = 0
      var second = 0
    }
    enum ParentAction: Equatable, Sendable {
      case first(Action)
      case second(Action)
    }
    let first = CasePath(ParentAction.first) {
      if case .first(let action) = $0 { action } else { nil }
    }
    let second = CasePath(ParentAction.second) {
      if case .second(let action) = $0 { action } else { nil }
    }
    let both: Reducer<Parent, ParentAction, Void> = .combine(
      reducer.pullback(state: \.first, action: first, environment: { $0 }),
      reducer.pullback(state: \.second, action: second, environment: { $0 }))
    let store = TestStore(initialState: Parent(), reducer: both, environment: ())
    await store.send(.first(.typed("a")))
    await store.send(.second(.stop))
    let failures = await failures { await store.finish() }
    expectOne(
      failures, atLine: #line - 2,
      containing:
        "has the identifier that .second(.stop) names, but belongs to another child")
  }
}
