import ComposableReducers
import Foundation
import Synchronization
import TestSupport
import Testing

/// After a cancellation is reduced, the store reduces no action of a cancelled effect.
@Suite("Actions of cancelled effects")
struct CancellationPromiseTests {
  private enum Action: Sendable {
    case start
    case cancel
    case restart
    case sent(Int)
  }

  /// Starts an effect that sends an action, and does something while it is on its way to the store.
  private static func reducer(
    _ onItsWay: @escaping @Sendable () -> Void
  ) -> Reducer<[Int], Action, Void> {
    Reducer { state, action, _ in
      let effect = Effect<Int>.run { @MainActor send in
        await send(1)
      }
      switch action {
      case .start:
        return effect.map {
          onItsWay()
          return Action.sent($0)
        }.cancellable(id: "id")
      case .cancel:
        return .cancel(id: "id")
      case .restart:
        return Effect.none.cancellable(id: "id", cancelInFlight: true)
      case .sent(let number):
        state.append(number)
        return .none
      }
    }
  }

  @MainActor
  private func state(
    after cancel: @escaping @MainActor (ObservableStore<[Int], Action>, StoreTask) -> Void
  ) async -> [Int] {
    let holder = Mutex<(@MainActor () -> Void)?>(nil)
    let store = ObservableStore(
      initialState: [],
      reducer: Self.reducer {
        MainActor.assumeIsolated { holder.withLock { $0 }?() }
      },
      environment: ())
    let task = store.send(.start)
    holder.withLock { $0 = { cancel(store, task) } }
    await task.finish()
    holder.withLock { $0 = nil }
    return store.state
  }

  @Test("an action in transit is ignored when an action cancels its effect")
  func cancelledOnItsWay() async {
    #expect(await state { _, _ in } == [1])
    #expect(await state { store, _ in store.send(.cancel) } == [])
  }

  @Test("an action in transit is ignored when a successor cancels its effect")
  func cancelledInFlightOnItsWay() async {
    #expect(await state { store, _ in store.send(.restart) } == [])
  }

  @Test("an action in transit is ignored when the store task cancels its effect")
  func cancelledTaskOnItsWay() async {
    #expect(await state { _, task in task.cancel() } == [])
  }

  @Test("a waiting action is ignored when its effect is cancelled")
  func cancelledWhileItWaits() async {
    let reducer = Reducer<[String], String, Void> { state, action, _ in
      state.append(action)
      return switch action {
      case "start":
        .merge(
          .send("cancel 2"), Effect.send("1").cancellable(id: 1),
          Effect.send("2").cancellable(id: 2))
      case "cancel 2":
        .cancel(id: 2)
      default:
        .none
      }
    }
    let store = Store(initialState: [], reducer: reducer, environment: ())
    await store.send("start").finish()
    #expect(await store.state == ["start", "cancel 2", "1"])
  }

  @Test("a part of an effect that has sent an action is cancelled with the whole")
  func partOnItsWay() async {
    let (isThere, goOn) = (Gate(), Gate())
    let reducer = Reducer<[String], String, Void> { state, action, _ in
      state.append(action)
      return switch action {
      case "start":
        Effect.concatenate(
          .run { _ in },
          Effect.run { send in
            isThere.open()
            await goOn.wait()
            await send("late")
          }.cancellable(id: "part")
        ).cancellable(id: "whole")
      case "cancel": .cancel(id: "whole")
      default: .none
      }
    }
    let store = Store(initialState: [], reducer: reducer, environment: ())
    let task = await store.send("start")
    await isThere.wait()
    await store.send("cancel")
    goOn.open()
    await task.finish()
    #expect(await store.state == ["start", "cancel"])
  }

  @Test("nothing is reduced that an effect sends while the one before it is being cancelled")
  func sentWhileAnotherIsCancelled() async {
    let gates = (first: Gate(), second: Gate(), isCancelled: Gate())
    let hasSent = DispatchSemaphore(value: 0)
    let store = recordingStore { _ in
      .merge(
        .run { _ in
          await withTaskCancellationHandler {
            gates.first.open()
            try? await Task.sleep(for: .seconds(1_000_000))
          } onCancel: {
            gates.isCancelled.open()
            hasSent.wait()
          }
        },
        .run { send in
          gates.second.open()
          await gates.isCancelled.wait()
          await send(.record("late"))
          hasSent.signal()
        })
    }
    let task = await store.send(.start(0))
    await gates.first.wait()
    await gates.second.wait()
    // On a thread of its own, because the handler blocks it.
    Thread { task.cancel() }.start()
    await task.finish()
    #expect(await store.state.isEmpty)
  }

  private struct Search: Sendable {
    var query = 0
    var stale = 0
  }

  private enum SearchAction: Sendable {
    case query(Int)
    case found(Int)
  }

  private static let search = Reducer<Search, SearchAction, Void> { state, action, _ in
    switch action {
    case .query(let number):
      state.query = number
      return Effect.run { send in await send(.found(number)) }
        .cancellable(id: "search", cancelInFlight: true)
    case .found(let number):
      if number != state.query { state.stale += 1 }
      return .none
    }
  }

  @Test("with cancelInFlight, no stale answer is reduced when queries race")
  func races() async {
    let store = Store(initialState: Search(), reducer: Self.search, environment: ())
    for query in 0..<2_000 {
      await store.send(.query(query))
      if query % 3 == 0 { await Task.yield() }
    }
    #expect(await store.state.stale == 0)
    let observable = await ObservableStore(
      initialState: Search(), reducer: Self.search, environment: ())
    for query in 0..<2_000 {
      await observable.send(.query(query))
      if query % 3 == 0 { await Task.yield() }
    }
    #expect(await observable.state.stale == 0)
  }

  @Test("cancelAndFinish returns when the effects have ended")
  func cancelAndFinish() async {
    let isRunning = Mutex(false)
    let started = Gate()
    let store = recordingStore { _ in
      .run { send in
        isRunning.withLock { $0 = true }
        await started.wait()
        try? await Task.sleep(for: .seconds(1_000_000))
        for _ in 0..<10 { await Task.yield() }
        await send(.record("ignored"))
        isRunning.withLock { $0 = false }
      }
    }
    let task = await store.send(.start(0))
    await started.waitForArrivals()
    started.open()
    await task.cancelAndFinish()
    #expect(!isRunning.withLock { $0 })
    #expect(await store.state.isEmpty)
  }

  @Test("an effect's action that cancels its own effects starts no more, and sends nothing more")
  @MainActor
  func cancellingWhileReducing() async {
    enum Action: Sendable { case start, ofEffect, sent, ofOther }
    let (cancel, isCancelled) = (Later(), Gate())
    let reducer = Reducer<[String], Action, Void> { state, action, _ in
      state.append("\(action)")
      switch action {
      case .start:
        return .run { send in
          await isCancelled.wait()
          await send(.ofEffect)
        }
      case .ofEffect:
        cancel()
        return .merge(.send(.sent), .run { send in await send(.ofOther) })
      case .sent, .ofOther: return .none
      }
    }
    let store = ObservableStore(initialState: [], reducer: reducer, environment: ())
    let task = store.send(.start)
    cancel.set { task.cancel() }
    isCancelled.open()
    await task.finish()
    #expect(store.state == ["start", "ofEffect"])
  }

  @Test("a part of an effect that cancels the whole effect sends nothing more")
  func partCancelsWhole() async {
    let store = recordingStore { _ in
      .concatenate(
        .run { send in await send(.record("first")) },
        .merge(.send(.record("second")), .cancel(id: "whole"), .send(.record("third")))
          .cancellable(id: "part")
      ).cancellable(id: "whole")
    }
    await store.send(.start(1)).finish()
    #expect(await store.state == ["first"])
  }
}
