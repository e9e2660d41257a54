import ComposableReducers
import ComposableTesting
import Synchronization
import TestSupport
import Testing

@Suite("Effects nested many thousand levels deep")
struct EffectNestingTests {
  private typealias Wrap = @Sendable (Effect<Int>) -> Effect<Int>

  private static let wraps: [(depth: Int, wrap: Wrap)] = [
    (5_000, { .merge($0, .cancel(id: 0)) }),
    (5_000, { .merge(.cancel(id: 0), $0) }),
    (5_000, { .concatenate($0, .cancel(id: 0)) }),
    (5_000, { .concatenate(.cancel(id: 0), $0) }),
    (5_000, { $0.cancellable(id: 1) }),
    (5_001, { $0.map { $0 + 1 } }),
    (5_000, { $0.throttle(id: 1, for: .zero, clock: ContinuousClock(), latest: true) }),
    (5_000, { $0.map { $0 }.cancellable(id: 1) }),
    (2_000, { .concatenate(.merge($0.map { $0 }.cancellable(id: 1), .none), .send(0)) }),
  ]

  private static func nested(_ wrap: Wrap, _ effect: Effect<Int>, _ depth: Int) -> Effect<Int> {
    (0..<depth).reduce(effect) { effect, _ in wrap(effect) }
  }

  @Test("are created and freed on a small stack", arguments: wraps.indices)
  func freed(_ index: Int) {
    onSmallStack {
      _ = Self.nested(Self.wraps[index].wrap, .run { _ in }, 20_000)
    }
  }

  @Test("run to completion, and are cancelled", arguments: wraps.indices)
  func run(_ index: Int) async {
    let started = Gate()
    let reducer = Reducer<Int, Int, Void> { state, action, _ in
      switch action {
      case -1:
        return Self.nested(
          Self.wraps[index].wrap, .run { send in await send(1) }, Self.wraps[index].depth)
      case -2:
        let effect = Effect<Int>.run { _ in
          await started.wait()
          try await Task.sleep(for: .seconds(1_000_000))
        }
        return Self.nested(Self.wraps[index].wrap, effect, Self.wraps[index].depth)
      default:
        state += action
        return .none
      }
    }
    let store = Store(initialState: 0, reducer: reducer, environment: ())
    await store.send(-1).finish()
    #expect(await [1, 5_002].contains(store.state))
    let task = await store.send(-2)
    await started.waitForArrivals()
    started.open()
    await task.cancelAndFinish()
  }

  @Test(
    "are asked on a small stack whether they were cancelled, after they have ended, and freed there",
    // In sequences, which are kept, and in maps.
    arguments: [2, 5])
  func ended(_ index: Int) async {
    let kept = Mutex<Send<Int>?>(nil)
    let effect = Self.nested(
      Self.wraps[index].wrap, .run { send in kept.withLock { $0 = send } }, 20_000)
    let reducer = Reducer<Int, Int, Void> { _, _, _ in effect }
    let store = Store(initialState: 0, reducer: reducer, environment: ())
    await store.send(0).finish()
    #expect(kept.withLock { $0 } != nil)
    onSmallStack {
      #expect(kept.withLock { $0?.isCancelled } == false)
      kept.withLock { $0 = nil }
    }
  }

  // Without the last one, in which each of the actions passes all maps around it.
  @Test(
    "cost the same for each level", .enabled(if: Retains.areCounted),
    arguments: wraps.indices.dropLast(),
    [Effect<Int>.send(1), .run { _ in }])
  @MainActor
  func cost(_ index: Int, _ effect: Effect<Int>) async {
    var retains: [Int] = []
    for depth in [200, 1_000] {
      let nested = Self.nested(Self.wraps[index].wrap, effect, depth)
      let reducer = Reducer<Int, Int, Void> { _, action, _ in action == -1 ? nested : .none }
      let store = ObservableStore(initialState: 0, reducer: reducer, environment: ())
      var task: StoreTask?
      retains.append(Retains.count { task = store.send(-1) })
      await task?.finish()
    }
    #expect(retains[1] < 8 * retains[0])
  }
}
