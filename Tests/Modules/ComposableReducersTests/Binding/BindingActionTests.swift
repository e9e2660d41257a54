import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Binding actions")
struct BindingActionTests {
  private struct Profile: Equatable, Sendable {
    var name = ""
    var visits = 0
    var isPublic = false
  }

  private enum Action: BindableAction, Equatable {
    case binding(BindingAction<Profile>)
    case reset
  }

  private static let reducer = Reducer<Profile, Action, Void> { state, action, _ in
    switch action {
    case .binding(\.name):
      state.visits += 1
      return .none
    case .binding:
      return .none
    case .reset:
      state = Profile()
      return .none
    }
  }
  .binding(
    action: CasePath(Action.binding) { if case .binding(let action) = $0 { action } else { nil } })

  @Test("a binding action sets its property, before the reducer runs")
  func setting() async {
    let store = Store(initialState: Profile(), reducer: Self.reducer, environment: ())
    await store.send(.set(\.name, "Blob"))
    await store.send(.binding(.set(\.isPublic, true)))
    #expect(await store.state == Profile(name: "Blob", visits: 1, isPublic: true))
    await store.send(.reset)
    #expect(await store.state == Profile())
  }

  @Test("a binding's action that no reducer applies is reported once")
  func unhandled() async {
    let unhandled = Reducer<Profile, Action, Void>.empty
    let action = { Action.binding(.set(\.name, "Blob").mustBeApplied()) }
    for (reducer, count) in [(unhandled, 1), (Self.reducer, 0)] {
      let store = Store(initialState: Profile(), reducer: reducer, environment: ())
      let reported = await issues { await store.send(action()) }
      #expect(reported.count == count)
      #expect(reported.allSatisfy { "\($0)".contains(".binding(action:)") })
    }
  }

  @Test("binding actions are equal if they set the same property to the same value")
  func equality() {
    #expect(Action.set(\.name, "a") == .set(\.name, "a"))
    #expect(Action.set(\.name, "a") != .set(\.name, "b"))
    #expect(Action.set(\.visits, 1) != .set(\.name, "1"))
    #expect("\(Action.set(\.visits, 1))".contains("1"))
  }
}
