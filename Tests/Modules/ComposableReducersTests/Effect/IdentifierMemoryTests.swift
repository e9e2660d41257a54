import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Memory of effect identifiers")
struct IdentifierMemoryTests {
  @Test(
    "identifiers are forgotten when no effect needs them", .enabled(if: Allocations.areCounted))
  func memory() async {
    // In a separate process, in which no other test allocates.
    await #expect(processExitsWith: .success) {
      let reducer = Reducer<Int, Int, Void> { state, number, _ in
        state = number
        return .merge(
          Effect.run { _ in }.throttle(
            id: -number, for: .zero, clock: ContinuousClock(), latest: true),
          Effect.run { _ in }.cancellable(id: number),
          Effect.none.cancellable(id: "\(number)", cancelInFlight: true), .cancel(id: -number))
      }
      let store = Store(initialState: 0, reducer: reducer, environment: ())
      var bytes = 0
      for number in 0..<20_000 {
        await store.send(number).finish()
        if number == 5_000 { bytes = Allocations.bytesInUse }
      }
      // Less than three bytes per identifier.
      #expect(Allocations.bytesInUse - bytes < 200_000)
    }
  }

  private struct List: Sendable {
    var rows = [0: 0]
  }

  @Test("children that have come and gone leave nothing", .enabled(if: Allocations.areCounted))
  func children() async {
    await #expect(processExitsWith: .success) {
      let row = Reducer<Int, Int, Void> { _, _, _ in .run { _ in }.cancellable(id: 0) }
      let list: Reducer<List, (Int, Int), Void> = row.forEach(
        state: \.rows, action: .identity, environment: { $0 })
      let replacing = Reducer.combine(
        list,
        Reducer { state, action, _ in
          state.rows = [action.0 + 1: 0]
          return .none
        })
      let store = Store(initialState: List(), reducer: replacing, environment: ())
      var bytes = 0
      for number in 0..<20_000 {
        await store.send((number, 0)).finish()
        if number == 5_000 { bytes = Allocations.bytesInUse }
      }
      #expect(Allocations.bytesInUse - bytes < 200_000)
    }
  }

  @Test("the places of children are freed with their store, even if a throttled effect waited")
  func places() async {
    let row = Reducer<Int, Int, Void> { _, _, _ in
      .run { _ in }.throttle(
        id: 0, for: .seconds(1_000_000), clock: ContinuousClock(), latest: true)
    }
    let list: Reducer<List, (Int, Int), Void> = row.forEach(
      state: \.rows, action: .identity, environment: { $0 })
    weak var root: EffectChild?
    var tasks: [StoreTask] = []
    do {
      let core = StoreCore(initialState: List(), reducer: list, environment: ())
      for _ in 0..<2 { tasks.append(core.receive((0, 0)) { _ in }) }
      root = core.effects.root
      core.effects.cancelAll()
    }
    for task in tasks { await task.finish() }
    tasks = []
    await yield(1_000)
    #expect(root == nil)
  }

  @Test("the identifiers of an effect's parts are forgotten while the effect goes on")
  func parts() async {
    let alive = AliveCounter()
    let store = recordingStore { _ in
      .run { send in
        for _ in 0..<100 {
          try await send.withTaskCancellation(id: Tracked(alive)) { _ in }
        }
        await send(.record("\(alive.count < 5)"))
      }
    }
    await store.send(.start(0)).finish()
    #expect(await store.state == ["true"])
  }

  @Test("what an operation captures is released when it ends, even if its send is kept")
  func operations() async {
    let (alive, kept) = (AliveCounter(), Shared<[Send<RecordingAction>]>([]))
    let store = recordingStore { _ in
      let object = Tracked(alive)
      return .run { send in
        kept.update { $0.append(send) }
        _ = object
      }
    }
    await store.send(.start(0)).finish()
    #expect(await alive.left() == 0)
    withExtendedLifetime(kept) {}
  }

  @Test("what the rest of a released store's sequence captures is freed, even if a send is kept")
  func rest() async {
    let (alive, kept) = (AliveCounter(), Shared<[Send<RecordingAction>]>([]))
    let hasBegun = Gate()
    var store = Optional(
      recordingStore { _ in
        let object = Tracked(alive)
        return .concatenate(
          .run { send in
            kept.update { $0.append(send) }
            await hasBegun.wait()
          },
          .run { _ in _ = object })
      })
    await store?.send(.start(0))
    await hasBegun.waitForArrivals(1)
    store = nil
    hasBegun.open()
    #expect(await alive.left() == 0)
    withExtendedLifetime(kept) {}
  }
}
