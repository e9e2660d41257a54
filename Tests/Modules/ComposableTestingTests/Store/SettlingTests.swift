import ComposableReducers
import ComposableTesting
import TestSupport
import Testing

/// What an effect waits for comes while the test itself runs, so the effect couldn't continue yet.
@Suite("Before a test store does anything, everything runs that can", .isolatedDependencies)
struct SettlingTests {
  private enum Action: Equatable {
    case wait
    case resumed(String)
    case other
  }

  private let gate = Gate()
  private let log = Log()

  private var store: TestStore<[String], Action> {
    let (gate, log) = (gate, log)
    let reducer = Reducer<[String], Action, Void> { state, action, _ in
      switch action {
      case .wait:
        return .run { send in
          await gate.wait()
          let name = DependencyScope.current.mailer
          await send(.resumed(name))
          try? await TestClock().sleep(for: .seconds(1))
          log.append("cancelled")
        }
      case .resumed(let name): state.append("\(name) \(DependencyScope.current.mailer)")
      case .other: break
      }
      return .none
    }
    return TestStore(initialState: [], reducer: reducer, environment: ())
  }

  /// Uses a store whose effect can just continue.
  private func use(_ use: (TestStore<[String], Action>) async -> Void) async {
    let store = store
    await store.send(.wait)
    gate.open()
    await use(store)
    await store.skipInFlightEffects(strict: false)
  }

  @Test("it sends an action")
  func sends() async {
    var line = 0
    let failures = await failures {
      await use {
        line = #line + 1
        await $0.send(.other)
      }
    }
    expectOne(failures, atLine: line, containing: "didn't assert before it sent .other")
  }

  @Test("it skips actions")
  func skipsActions() async {
    await use {
      await $0.skipReceivedActions()
      #expect($0.state == ["test test"])
    }
  }

  @Test("it cancels effects, and afterward")
  func cancels() async {
    await use {
      await $0.skipInFlightEffects()
      #expect(log.lines == ["cancelled"])
      await $0.receive(.resumed("test")) { $0 = ["test test"] }
    }
  }

  @Test("it changes its dependencies")
  func overrides() async {
    await use {
      await $0.withDependencies { $0.mailer = "changed" }
      await $0.receive(.resumed("test")) { $0 = ["test test"] }
    }
  }
}
