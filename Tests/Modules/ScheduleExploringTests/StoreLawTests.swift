import ComposableReducers
import StandardDependencies
import TestSupport
import Testing

@testable import ComposableTesting

/// What tests of rules don't name.
///
/// Faults with the prefix `store-` violate it, which random stores find, too.
@Suite(
  "Guarantees of a store, in every order", .exploring(schedules: 300), .tooLongUnderSanitizers)
struct StoreLawTests {
  private enum Action: Equatable {
    case start(Int)
    case note(String)
    case cancel
  }

  private struct ID: Hashable {}

  /// Creates a store that collects notes, and starts effects by their numbers.
  private func makeStore(
    _ effect: @escaping @Sendable (Int) -> Effect<Action>
  ) -> TestStore<[String], Action> {
    let reducer = Reducer<[String], Action, Void> { state, action, _ in
      switch action {
      case .start(let number): return effect(number)
      case .note(let text):
        state.append(text)
        return .none
      case .cancel:
        state.append("cancel")
        return .cancel(id: ID())
      }
    }
    let store = TestStore(initialState: [], reducer: reducer, environment: ())
    store.exhaustivity = .off
    return store
  }

  private func expect(_ notes: [String], in store: TestStore<[String], Action>) async {
    await store.finish()
    await store.skipReceivedActions(strict: false)
    #expect(store.state == notes)
  }

  private static func note(_ text: String, after duration: Duration) -> Effect<Action> {
    .run { send in
      try await sleep(duration)
      await send(.note(text))
    }
  }

  @Test("cancelInFlight cancels the effects that are under way")
  func cancelInFlight() async {
    let store = makeStore { number in
      Self.note("\(number)", after: .seconds(1)).cancellable(id: ID(), cancelInFlight: true)
    }
    await store.send(.start(1))
    await store.send(.start(2))
    await expect(["2"], in: store)
  }

  @Test("an effect that goes on after its cancellation isn't heard")
  func cancelled() async {
    let store = makeStore { _ in
      Effect.run { send in
        try? await sleep(.seconds(1))
        await send(.note("heard"))
      }.cancellable(id: ID())
    }
    await store.send(.start(1))
    await store.send(.cancel)
    await expect(["cancel"], in: store)
  }

  @Test(
    "an effect that sends while it is cancelled is heard before the cancellation, or not at all")
  func cancelledMeanwhile() async {
    let store = makeStore { _ in
      .merge(
        Effect.run { send in
          try? await sleep(.seconds(1))
          await send(.note("heard"))
        }.cancellable(id: ID()),
        .run { send in
          try await sleep(.seconds(1))
          await send(.cancel)
        })
    }
    await store.send(.start(1))
    await store.finish()
    await store.skipReceivedActions(strict: false)
    #expect(store.state.last == "cancel")
  }

  @Test("a waiting action of an effect that is cancelled isn't reduced")
  func waiting() async {
    let store = makeStore { _ in
      Effect.merge(.send(.cancel), .send(.note("late"))).cancellable(id: ID())
    }
    await store.send(.start(1))
    await expect(["cancel"], in: store)
  }

  @Test("finish waits for all effects of an action")
  func finish() async {
    let ended = Shared(0)
    let effect = Effect<Action>.run { _ in
      try await sleep(.seconds(1))
      await Task.yield()
      ended.update { $0 += 1 }
    }
    let store = makeStore { _ in .merge(effect, effect) }
    await store.send(.start(1)).finish()
    #expect(ended.value == 2)
  }

  @Test("an identifier cancels later parts of its effect, too")
  func parts() async {
    let store = makeStore { _ in
      .concatenate(
        Self.note("first", after: .seconds(1)), Self.note("second", after: .seconds(100))
      ).cancellable(id: ID())
    }
    await store.send(.start(1))
    await store.receive(.note("first")) { $0 = ["first"] }
    await store.send(.cancel)
    await expect(["first", "cancel"], in: store)
    #expect(secondsPassed < 100)
  }

  private struct Weak {
    weak var store: Store<Int, Int>?
  }

  @Test("a store is released when it isn't used any more")
  func release() async {
    // Not a `TestStore`, which waits for its effects.
    func usedStore() async -> Weak {
      let store = Store<Int, Int>(
        initialState: 0, reducer: Reducer<Int, Int, Void>.empty, environment: ())
      await store.send(1)
      return Weak(store: store)
    }
    let used = await usedStore()
    #expect(used.store == nil)
  }

  private struct Child: Equatable, Identifiable, Sendable {
    let id: Int
    var children: IdentifiedArray<Int, Child> = []
  }

  private indirect enum ChildAction: Equatable, Sendable {
    case work
    case worked
    case remove(Int)
    case child(Int, ChildAction)
  }

  private static let child = Reducer<Child, ChildAction, Log> { state, action, log in
    switch action {
    case .work:
      return .run { send in
        try? await sleep(.seconds(1))
        await send(.worked)
      }
    case .worked: log.append("\(state.id)")
    case .remove(let id): state.children.remove(id: id)
    case .child: break
    }
    return .none
  }

  private static func parent(
    of child: Reducer<Child, ChildAction, Log>
  ) -> Reducer<Child, ChildAction, Log> {
    let action = CasePath(ChildAction.child) {
      if case .child(let id, let action) = $0 { (id, action) } else { nil }
    }
    return .combine(
      child.forEach(state: \.children, action: action, environment: { $0 }), Self.child)
  }

  @Test("only effects of removed children and grandchildren end with these")
  func children() async {
    let log = Log()
    let store = TestStore(
      initialState: Child(
        id: 0, children: [Child(id: 1, children: [Child(id: 11)]), Child(id: 2), Child(id: 3)]),
      reducer: Self.parent(of: Self.parent(of: Self.child)), environment: log)
    store.exhaustivity = .off
    for id in 1...3 { await store.send(.child(id, .work)) }
    await store.send(.child(1, .child(11, .work)))
    await store.send(.child(1, .remove(11)))
    await store.send(.remove(3))
    await store.finish()
    #expect(log.lines.sorted() == ["1", "2"])
  }
}
