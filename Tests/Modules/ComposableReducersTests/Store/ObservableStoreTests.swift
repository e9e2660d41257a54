import ComposableReducers
import Observation
import Synchronization
import TestSupport
import Testing

@Suite("ObservableStore")
@MainActor
struct ObservableStoreTests {
  private struct Profile: Equatable, Sendable {
    var name = "nobody"
    var visits = 0
  }

  private struct App: Equatable, Sendable {
    var profile = Profile()
    var other = Profile()
  }

  private enum ProfileAction: Sendable {
    case nameChanged(String)
    case visit
    case visitLater
  }

  private enum AppAction: Sendable {
    case profile(ProfileAction)
    case other(ProfileAction)
  }

  private nonisolated static let profile = Reducer<Profile, ProfileAction, Void> {
    state, action, _ in
    switch action {
    case .nameChanged(let name):
      state.name = name
      return .none
    case .visit:
      state.visits += DependencyScope.current.a
      return .none
    case .visitLater:
      return .run { send in
        await Task.yield()
        await send(.visit)
      }
    }
  }

  private func store() -> ObservableStore<App, AppAction> {
    ObservableStore(
      initialState: App(),
      reducer: .combine(
        Self.profile.pullback(
          state: \.profile,
          action: CasePath(AppAction.profile) {
            if case .profile(let action) = $0 { action } else { nil }
          }, environment: { $0 }),
        Self.profile.pullback(
          state: \.other,
          action: CasePath(AppAction.other) {
            if case .other(let action) = $0 { action } else { nil }
          }, environment: { $0 })),
      environment: ())
  }

  /// The number of change notifications for what `read` reads.
  private func changes(of read: () -> Void, while operation: () -> Void) -> Int {
    let count = Mutex(0)
    withObservationTracking(read) {
      count.withLock { $0 += 1 }
    }
    operation()
    return count.withLock { $0 }
  }

  @Test("the state is read synchronously, and changes before send returns")
  func synchronous() async {
    let store = DependencyScope.root.with(\.a, 10).run { self.store() }
    store.send(.profile(.visit))
    #expect(store.state.profile.visits == 10)
    await store.send(.profile(.visitLater)).finish()
    #expect(store.state.profile.visits == 20)
  }

  @Test("an effect's change is observed")
  func observationOfEffects() async {
    let store = store()
    await withCheckedContinuation { continuation in
      withObservationTracking {
        _ = store.child(state: \.profile, action: AppAction.profile).state
        _ = store.state
      } onChange: {
        continuation.resume()
      }
      store.send(.other(.visitLater))
    }
    await store.send(.other(.visit)).finish()
    #expect(store.state.other.visits > 0)
  }

  @Test("code that is notified of a change reads the new state, also in every child store")
  func newStateIsThere() {
    let store = store()
    let child = store.child(state: \.profile, action: AppAction.profile)
    let grandchild = child.child(state: \.visits, action: { (_: Int) in .visit })
    let seen = Mutex<[Int]>([])
    withObservationTracking {
      _ = store.state
    } onChange: {
      MainActor.assumeIsolated {
        let values = [store.state.profile.visits, child.state.visits, grandchild.state]
        seen.withLock { $0 = values }
      }
    }
    grandchild.send(0)
    #expect(seen.withLock { $0 } == [1, 1, 1])
  }

  @Test("a child store sends through its parent, and notifies only of changes to its part")
  func childStores() {
    let store = store()
    let child = store.child(state: \.profile, action: AppAction.profile)
    #expect(changes(of: { _ = child.state }, while: { store.send(.other(.visit)) }) == 0)
    #expect(changes(of: { _ = child.state }, while: { child.send(.visit) }) == 1)
    #expect((store.state.profile.visits, child.state.visits) == (1, 1))
    let grandchild = child.child(state: \.name, action: ProfileAction.nameChanged)
    #expect(changes(of: { _ = grandchild.state }, while: { child.send(.visit) }) == 0)
    grandchild.send("Blob")
    #expect((store.state.profile.name, grandchild.state) == ("Blob", "Blob"))
  }

  @Test("an action sent during a notification waits for its turn")
  func sendingWhileNotified() {
    let store = store()
    withObservationTracking {
      _ = store.state
    } onChange: {
      MainActor.assumeIsolated { _ = store.send(.profile(.nameChanged("told"))) }
    }
    store.send(.profile(.visit))
    #expect(store.state.profile == Profile(name: "told", visits: 1))
  }

  @Test("releasing a store frees it and its children, and cancels its effects")
  func dropping() async {
    weak var weakStore: ObservableStore<App, AppAction>?
    weak var weakChild: ObservableStore<Profile, ProfileAction>?
    let task: StoreTask
    do {
      let store = store()
      let child = store.child(state: \.profile, action: AppAction.profile)
      (weakStore, weakChild) = (store, child)
      task = child.send(.visitLater)
    }
    #expect(weakChild == nil)
    #expect(weakStore == nil)
    await task.finish()
  }
}
