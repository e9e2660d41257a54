import ComposableReducers
import Foundation
import Synchronization
import TestSupport
import Testing

/// What cancellation promises: which effects it ends, and that nothing that they send is reduced
/// afterward.
@Suite("Cancellation of effects")
struct CancellationTests {
  /// Runs until it is cancelled, and then sends an action.
  private static func forever(_ name: String, _ started: Gate) -> Effect<RecordingAction> {
    .run { send in
      await send(.record("\(name) starts"))
      started.open()
      try? await Task.sleep(for: .seconds(1_000_000))
      await send(.record("\(name) is heard after its end"))
    }
  }

  @Test("cancel ends only the effects under its identifier")
  func cancel() async {
    let started = (0..<3).map { _ in Gate() }
    let store = recordingStore { Self.forever("\($0)", started[$0]).cancellable(id: $0) }
    var tasks: [StoreTask] = []
    for number in 0..<3 { tasks.append(await store.send(.start(number))) }
    for gate in started { await gate.wait() }
    await store.send(.cancel(1))
    await tasks[1].finish()
    for task in tasks { await task.cancelAndFinish() }
    #expect(await store.state.sorted() == ["0 starts", "1 starts", "2 starts"])
  }

  @Test("cancelInFlight ends effects under the identifier before it starts the new one")
  func cancelInFlight() async {
    let started = (0..<2).map { _ in Gate() }
    let store = recordingStore {
      Self.forever("\($0)", started[$0]).cancellable(id: "same", cancelInFlight: true)
    }
    let first = await store.send(.start(0))
    await started[0].wait()
    let second = await store.send(.start(1))
    await first.finish()
    await started[1].wait()
    await second.cancelAndFinish()
    #expect(await store.state == ["0 starts", "1 starts"])
  }

  private enum One: Hashable, Sendable { case id }
  private enum Other: Hashable, Sendable { case id }

  @Test("identifiers are compared by type and value; several are cancelled together")
  func identifiers() async {
    let ids: [any Hashable & Sendable] = [
      1, UInt8(1), 1.0, "1", Substring("1"), Int?(1), One.id, Other.id, 2,
    ]
    let goOn = Gate()
    let store = recordingStore { number in
      if number == -1 { return .cancel(ids: [1, "1", One.id]) }
      let effect = Effect<RecordingAction>.run { send in
        await goOn.wait()
        await send(.record("\(number)"))
      }
      return effect.cancellable(id: ids[number]).cancellable(id: "all")
    }
    var tasks: [StoreTask] = []
    for number in ids.indices { tasks.append(await store.send(.start(number))) }
    await goOn.waitForArrivals(ids.count)
    await store.send(.start(-1))
    goOn.open()
    for task in tasks { await task.finish() }
    #expect(await store.state.sorted() == ["1", "2", "4", "5", "7", "8"])
  }

  @Test("rule 25: two stores never cancel each other's effects")
  func storesAreIndependent() async {
    let goOn = Gate()
    let effect: @Sendable (Int) -> Effect<RecordingAction> = { _ in
      .run { send in
        await goOn.wait()
        await send(.record("alive"))
      }.cancellable(id: 1)
    }
    let (one, other) = (recordingStore(effect), recordingStore(effect))
    let tasks = [await one.send(.start(0)), await other.send(.start(0))]
    await goOn.waitForArrivals(2)
    await other.send(.cancel(1))
    goOn.open()
    for task in tasks { await task.finish() }
    #expect(await one.state == ["alive"])
    #expect(await other.state.isEmpty)
  }

  @Test("rule 23: an effect that is cancelled before its task begins runs, cancelled")
  func cancelledBeforeItStarts() async {
    let wasCancelled = Mutex<[Bool]>([])
    let store = recordingStore { number in
      .merge(
        Effect.run { send in
          wasCancelled.withLock { $0.append(Task.isCancelled && send.isCancelled) }
          await send(.record("ran"))
        }.cancellable(id: 1),
        .cancel(id: 1))
    }
    await store.send(.start(0)).finish()
    #expect(wasCancelled.withLock { $0 } == [true])
    #expect(await store.state.isEmpty)
  }

  @Test("cancelling a store task cancels what its effects' actions started")
  func transitiveCancellation() async {
    let started = Gate()
    let store = recordingStore { number in
      number == 0 ? .run { send in await send(.start(1)) } : Self.forever("second", started)
    }
    let task = await store.send(.start(0))
    await started.wait()
    await task.cancelAndFinish()
    #expect(await store.state == ["second starts"])
  }

  @Test("cancelling a task while its effects start others cancels all", .timeLimit(.minutes(5)))
  func cancelledWhileStarting() async {
    let store = recordingStore { number in
      .merge(
        .run { send in await send(.start(number + 1)) },
        .run { _ in try await Task.sleep(for: .seconds(1_000_000)) })
    }
    for _ in 0..<200 {
      let task = await store.send(.start(0))
      await Task.detached { task.cancel() }.value
      await task.finish()
    }
    #expect(await store.isIdle)
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
        isRunning.withLock { $0 = false }
      }
    }
    let task = await store.send(.start(0))
    await started.waitForArrivals()
    started.open()
    await task.cancelAndFinish()
    #expect(!isRunning.withLock { $0 })
  }
}

/// After a cancellation is reduced, the store reduces no action of a cancelled effect.
extension CancellationTests {
  /// The state after an effect's action is sent, and something happens while it is on its way.
  @MainActor
  private func state(
    onItsWay cancel: @escaping @MainActor (ObservableStore<[Int], Int>, StoreTask) -> Void
  ) async -> [Int] {
    let onItsWay = Later()
    let store = ObservableStore(
      initialState: [],
      reducer: Reducer<[Int], Int, Void> { state, action, _ in
        switch action {
        case 0:
          return Effect.run { @MainActor send in await send(1) }.map {
            onItsWay()
            return $0
          }.cancellable(id: "id")
        case -1: return .cancel(id: "id")
        case -2: return Effect.none.cancellable(id: "id", cancelInFlight: true)
        default:
          state.append(action)
          return .none
        }
      }, environment: ())
    let task = store.send(0)
    onItsWay.set { MainActor.assumeIsolated { cancel(store, task) } }
    await task.finish()
    onItsWay.set {}
    return store.state
  }

  @Test("an action in transit is ignored, however its effect is cancelled")
  func onItsWay() async {
    #expect(await state { _, _ in } == [1])
    #expect(await state { store, _ in store.send(-1) } == [])
    #expect(await state { store, _ in store.send(-2) } == [])
    #expect(await state { _, task in task.cancel() } == [])
  }

  @Test("a waiting action is ignored when its effect is cancelled")
  func whileItWaits() async {
    let store = recordingStore { _ in
      .merge(
        .send(.cancel(2)), Effect.send(.record("1")).cancellable(id: 1),
        Effect.send(.record("2")).cancellable(id: 2))
    }
    await store.send(.start(0)).finish()
    #expect(await store.state == ["1"])
  }

  @Test("nothing is reduced that an effect, or its part, sends while another is being cancelled")
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
          try await send.withTaskCancellation(id: 1) { await $0(.record("late in a part")) }
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

  @Test("with cancelInFlight, no stale answer is reduced when queries race")
  func races() async {
    struct Search: Sendable {
      var query = 0
      var stale = 0
    }
    enum Action: Sendable { case query(Int), found(Int) }
    let reducer = Reducer<Search, Action, Void> { state, action, _ in
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
    let store = Store(initialState: Search(), reducer: reducer, environment: ())
    let observable = await ObservableStore(
      initialState: Search(), reducer: reducer, environment: ())
    for query in 0..<2_000 {
      await store.send(.query(query))
      await observable.send(.query(query))
      if query % 3 == 0 { await Task.yield() }
    }
    #expect(await store.state.stale == 0)
    #expect(await observable.state.stale == 0)
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

  @Test("a part of a sequence that cancels the whole sends nothing more, and no other part starts")
  func partCancelsWhole() async {
    let store = recordingStore { _ in
      .concatenate(
        .run { send in await send(.record("first")) },
        .merge(.send(.record("second")), .cancel(id: "whole"), .send(.record("third")))
          .cancellable(id: "part"),
        .run { send in await send(.record("never")) }
      ).cancellable(id: "whole")
    }
    await store.send(.start(1)).finish()
    #expect(await store.state == ["first"])
  }
}

/// Parts of operations.
extension CancellationTests {
  @Test("an identifier cancels a part of an operation, and the rest continues")
  func cancellablePart() async {
    let started = Gate()
    let store = recordingStore { _ in
      .run { send in
        await send(.record("before"))
        do {
          try await send.withTaskCancellation(id: 7) { send in
            started.open()
            try? await Task.sleep(for: .seconds(1_000_000))
            #expect(Task.isCancelled && send.isCancelled)
            await send(.record("ignored"))
            try Task.checkCancellation()
          }
        } catch {
          await send(.record("\(error is CancellationError)"))
        }
        await send(.record("after"))
      }
    }
    let task = await store.send(.start(0))
    await started.wait()
    await store.send(.cancel(7))
    await task.finish()
    #expect(await store.state == ["before", "true", "after"])
  }

  @Test("a part returns its result, runs in the effect's scope, and is cancelled with the effect")
  func resultOfPart() async {
    let started = Gate()
    let store = DependencyScope.root.with(\.a, 10).run {
      recordingStore { number in
        .run { send in
          if number == 0 {
            let sum = try await send.withTaskCancellation(id: 1) { _ in
              DependencyScope.current.a + 1
            }
            await send(.record("\(sum)"))
          } else {
            try await send.withTaskCancellation(id: 1) { _ in
              started.open()
              try await Task.sleep(for: .seconds(1_000_000))
            }
          }
        }
      }
    }
    await store.send(.start(0)).finish()
    #expect(await store.state == ["11"])
    let task = await store.send(.start(1))
    await started.wait()
    await task.cancelAndFinish()
  }

  @Test("a later part with cancelInFlight cancels the previous one")
  func cancelInFlightOfParts() async {
    let started = Gate()
    let store = recordingStore { _ in
      .run { send in
        await withTaskGroup { group in
          group.addTask {
            try? await send.withTaskCancellation(id: 1) { send in
              started.open()
              try? await Task.sleep(for: .seconds(1_000_000))
              await send(.record("first"))
            }
          }
          await started.wait()
          try? await send.withTaskCancellation(id: 1, cancelInFlight: true) { send in
            await send(.record("second"))
          }
        }
      }
    }
    await store.send(.start(0)).finish()
    #expect(await store.state == ["second"])
  }
}
