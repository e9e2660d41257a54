import ComposableEnvironment
import ComposableReducers
import StandardDependencies
import TestSupport
import Testing

@testable import ComposableTesting
@testable import ScheduleExploring
@testable import TestClocks

/// A guarantee of stores, as a program that throws if it is violated.
struct StoreLaw: Sendable, CustomTestStringConvertible {
  /// The fault in `Tests/Random/Faults` that violates it.
  let fault: String
  let body: @Sendable () async throws -> Void

  var testDescription: String { fault }

  static let all = [
    cancelsInFlight, ignoresCancelled, reducesInOwnScope, concatenates, runsInOwnScope,
    finishes, separatesStores, cancelsParts, endsWithPart, keepsOrder, ignoresWaiting, ignoresLate,
    endsWithChild, endsWithGrandchild, sparesOtherChild, releasesStore,
  ]

  private enum Action: Equatable {
    case start(Int)
    case note(String)
    case cancel
  }

  private struct Settings: ComposableEnvironment {
    let scope = DependencyScope.current
  }

  private struct ID: Hashable {}

  /// Creates a store that collects notes, and starts effects by their numbers.
  private static func makeStore(
    _ effect: @escaping @Sendable (Int) -> Effect<Action>
  ) -> TestStore<[String], Action> {
    let reducer = Reducer<[String], Action, Settings> { state, action, _ in
      switch action {
      case .start(let number): return effect(number)
      case .note(let text):
        state.append(text)
        return .none
      case .cancel: return .cancel(id: ID())
      }
    }
    let store = TestStore(initialState: [], reducer: reducer, environment: Settings())
    store.exhaustivity = .off
    return store
  }

  private static func note(_ text: String, after duration: Duration) -> Effect<Action> {
    .run { send in
      try await sleep(duration)
      await send(.note(text))
    }
  }

  private static func expect(
    _ notes: [String], in store: TestStore<[String], Action>
  ) async throws {
    await store.finish()
    await store.skipReceivedActions()
    try require(store.state == notes, "\(store.state) instead of \(notes)")
  }

  static let cancelsInFlight = StoreLaw(fault: "store-cancel-in-flight-does-nothing") {
    let store = makeStore { number in
      note("\(number)", after: .seconds(1)).cancellable(id: ID(), cancelInFlight: true)
    }
    await store.send(.start(1))
    await store.send(.start(2))
    try await expect(["2"], in: store)
  }

  static let ignoresCancelled = StoreLaw(fault: "store-cancelled-effect-is-heard") {
    let store = makeStore { _ in
      Effect.run { send in
        try? await sleep(.seconds(1))
        await send(.note("heard"))
      }.cancellable(id: ID())
    }
    await store.send(.start(1))
    await store.send(.cancel)
    try await expect([], in: store)
  }

  private static func childStore(
    _ effect: @escaping @Sendable () -> Effect<Action>
  ) -> TestStore<[String], Action> {
    let child = Reducer<[String], Action, Settings> { state, action, _ in
      guard case .note(let text) = action else { return effect() }
      state.append(text == "read" ? "\(DependencyScope.current.a)" : text)
      return .none
    }
    let parent: Reducer<[String], Action, Settings> = child.pullback(
      state: \.self, action: .identity, environment: { $0.with(\.a, 7) })
    let store = TestStore(initialState: [], reducer: parent, environment: Settings())
    store.exhaustivity = .off
    return store
  }

  static let reducesInOwnScope = StoreLaw(fault: "store-child-reduced-in-parents-scope") {
    let store = childStore { .none }
    await store.send(.note("read"))
    try await expect(["7"], in: store)
  }

  static let runsInOwnScope = StoreLaw(fault: "store-effects-run-in-senders-scope") {
    let store = childStore {
      .run { send in
        try await sleep(.seconds(1))
        await send(.note("in the effect: \(DependencyScope.current.a)"))
      }
    }
    await store.send(.start(1))
    try await expect(["in the effect: 7"], in: store)
  }

  static let concatenates = StoreLaw(fault: "store-concatenation-does-not-wait") {
    let store = makeStore { _ in
      .concatenate(
        .run { send in await send(.note("a")) },
        .run { send in await send(.note("b")) },
        .run { send in await send(.note("c")) })
    }
    await store.send(.start(1))
    try await expect(["a", "b", "c"], in: store)
  }

  static let finishes = StoreLaw(fault: "store-finish-returns-early") {
    let ended = Shared(0)
    let store = makeStore { _ in
      .merge(
        (0..<2).map { _ in
          .run { _ in
            try await sleep(.seconds(1))
            await Task.yield()
            ended.update { $0 += 1 }
          }
        })
    }
    await store.send(.start(1)).finish()
    try require(ended.value == 2, "\(ended.value) effects have ended")
  }

  static let separatesStores = StoreLaw(fault: "store-identifiers-shared-by-stores") {
    let stores = (0..<2).map { number in
      makeStore { _ in note("\(number)", after: .seconds(1)).cancellable(id: ID()) }
    }
    for store in stores { await store.send(.start(1)) }
    await stores[0].send(.cancel)
    try await expect([], in: stores[0])
    try await expect(["1"], in: stores[1])
  }

  static let cancelsParts = StoreLaw(fault: "store-parts-of-effects-outlive-them") {
    let store = makeStore { _ in
      .concatenate(
        note("first", after: .seconds(1)),
        note("second", after: .seconds(100)).cancellable(id: "part"))
    }
    let task = await store.send(.start(1))
    await store.receive(.note("first")) { $0 = ["first"] }
    await Task.yield()
    task.cancel()
    try await expect(["first"], in: store)
    try require(secondsPassed < 100, "the part has gone on")
  }

  /// Only random stores find its fault, which needs two threads at once.
  ///
  /// There, what is cancelled goes on before the rest is cancelled. An explored schedule runs one
  /// job at a time.
  static let endsWithPart = StoreLaw(fault: "store-effect-goes-on-when-its-part-is-cancelled") {
    let store = makeStore { _ in
      .concatenate(
        note("first", after: .seconds(1)).cancellable(id: ID()), .send(.note("second"))
      ).cancellable(id: ID())
    }
    await store.send(.start(1))
    await store.send(.cancel)
    try await expect([], in: store)
  }

  static let keepsOrder = StoreLaw(fault: "store-sent-actions-jump-the-queue") {
    let store = makeStore { _ in .merge(.send(.note("a")), .send(.note("b"))) }
    await store.send(.start(1))
    try await expect(["a", "b"], in: store)
  }

  private struct Weak {
    weak var store: Store<Int, Int>?
  }

  static let releasesStore = StoreLaw(fault: "store-effects-keep-their-store") {
    // Not a `TestStore`, which waits for its effects.
    func usedStore() async -> Weak {
      let store = Store<Int, Int>(
        initialState: 0, reducer: Reducer<Int, Int, Void>.empty, environment: ())
      await store.send(1)
      return Weak(store: store)
    }
    let used = await usedStore()
    try require(used.store == nil, "the store is not released")
  }
}

@Suite("Guarantees of a store", .tooLongUnderSanitizers)
struct StoreLawTests {
  @Test("hold in every order", arguments: StoreLaw.all)
  func holds(law: StoreLaw) async throws {
    let outcome = await Explorer([], law.body).search(300)
    let finding = outcome.finding
    if case .threw(let error) = finding?.result.ending {
      Issue.record("\(law.fault): schedule \(finding?.number ?? 0), \(error)")
    }
    #expect(outcome.exploration != nil, "\(String(describing: finding?.number))")
  }
}
