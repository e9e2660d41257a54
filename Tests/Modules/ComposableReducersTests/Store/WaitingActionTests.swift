import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

/// Actions that the program sends while the store reduces another.
@Suite("Waiting actions")
@MainActor
struct WaitingActionTests {
  private typealias Store = ObservableStore<[String], String>

  /// Sends "first", and does something with the store while it is reduced.
  private func state(
    whileReducing body: @escaping @MainActor @Sendable (Store) -> Void
  ) -> [String] {
    let holder = Mutex<Store?>(nil)
    let reducer = Reducer<[String], String, Void> { state, action, _ in
      state.append(action)
      if action == "first" {
        MainActor.assumeIsolated { body(holder.withLock { $0! }) }
        state.append("end of first")
      }
      return .none
    }
    let store = Store(initialState: [], reducer: reducer, environment: ())
    holder.withLock { $0 = store }
    store.send("first")
    holder.withLock { $0 = nil }
    return store.state
  }

  @Test("cancelling an action that waits cancels its effects, not the action")
  func cancelled() {
    let state = state { store in store.send("second").cancel() }
    #expect(state == ["first", "end of first", "second"])
  }

  @Test("an action that waits has finished when it is reduced, and not before")
  func finished() {
    let hasFinished = Mutex(false)
    let wasFinished = Mutex(true)
    let state = state { store in
      store.send("second").whenFinished { hasFinished.withLock { $0 = true } }
      wasFinished.withLock { $0 = hasFinished.withLock { $0 } }
    }
    #expect(state == ["first", "end of first", "second"])
    #expect(!wasFinished.withLock { $0 })
    #expect(hasFinished.withLock { $0 })
  }

  @Test("rule 24: an action that is sent while an effect's action is reduced waits")
  @MainActor
  func sendingWhileReducing() async {
    enum Action: Sendable { case start, ofEffect, sent }
    let send = Later()
    let reducer = Reducer<[String], Action, Void> { state, action, _ in
      switch action {
      case .start: return .run { send in await send(.ofEffect) }
      case .ofEffect:
        state.append("begin")
        send()
        state.append("end")
      case .sent: state.append("sent")
      }
      return .none
    }
    let store = ObservableStore(initialState: [], reducer: reducer, environment: ())
    send.set { [weak store] in MainActor.assumeIsolated { _ = store?.send(.sent) } }
    await store.send(.start).finish()
    #expect(store.state == ["begin", "end", "sent"])
  }
}
