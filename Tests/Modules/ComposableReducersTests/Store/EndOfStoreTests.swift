import ComposableReducers
import Synchronization
import TestSupport
import Testing

/// What an effect does that notices its cancellation, and ends some time after it.
private func saving(_ started: Gate, _ log: Log) -> Effect<RecordingAction> {
  .run { send in
    started.open()
    await untilCancelled()
    await yield(10)
    await send(.record("too late"))
    log.append("saved")
  }
}

@Suite("End of a store")
struct EndOfStoreTests {
  private let log = Log()

  @Test("rule 42: cancelAndFinish returns when all effects of the store have ended")
  func endsEffects() async {
    let started = [Gate(), Gate()]
    let store = recordingStore { [log] number in
      .merge(saving(started[number], log), .send(.record("\(number)")))
    }
    for number in 0..<2 {
      await store.send(.start(number))
      await started[number].wait()
    }
    await store.cancelAndFinish()
    #expect(log.lines == ["saved", "saved"])
    #expect(await store.state == ["0", "1"])
  }

  @Test("rule 42: an observable store ends, too, and a second call also waits")
  @MainActor
  func observableStore() async {
    let started = Gate()
    let store = ObservableStore(
      initialState: 0,
      reducer: Reducer<Int, RecordingAction, Void> { [log] state, _, _ in
        state += 1
        return saving(started, log)
      },
      environment: ())
    store.send(.start(0))
    await started.wait()
    async let first: Void = store.cancelAndFinish()
    await store.cancelAndFinish()
    #expect(log.lines == ["saved"])
    await first
    let reported = issues { _ = store.send(.start(1)) }
    #expect(
      reported.map(\.problem) == [
        "The store received start(1) after `cancelAndFinish()`, and ignores it."
      ])
    #expect(store.state == 1)
  }

  @Test("rule 42: a store that has ended accepts no action, and its sequences of states end")
  func acceptsNothing() async {
    let store = recordingStore { _ in .run { send in await send(.record("effect")) } }
    await store.send(.record("first"))
    let isReading = Gate()
    let reader = Task {
      var states: [[String]] = []
      for await state in store.states {
        states.append(state)
        isReading.open()
      }
      return states
    }
    await isReading.wait()
    await store.cancelAndFinish()
    #expect(await reader.value == [["first"]])
    let reported = await issues {
      await store.send(.record("second")).finish()
      await store.send(.start(0)).cancelAndFinish()
    }
    #expect(reported.count == 2)
    #expect(await store.state == ["first"])
    var states = store.states.makeAsyncIterator()
    #expect(await states.next() == ["first"])
    #expect(await states.next() == nil)
  }

  @Test(
    "rule 42: nothing is reduced that an effect sends after its operation and its store have ended")
  func keptSend() async throws {
    let kept = Mutex<Send<RecordingAction>?>(nil)
    let store = recordingStore { _ in .run { send in kept.withLock { $0 = send } } }
    await store.send(.start(0)).finish()
    await store.cancelAndFinish()
    let send = try #require(kept.withLock { $0 })
    #expect(send.isCancelled)
    await send(.record("too late"))
    try await send.withTaskCancellation(id: 1) { send in
      #expect(Task.isCancelled)
      await send(.record("too late"))
    }
    #expect(await store.state.isEmpty)
  }

  @Test(
    "rule 42: a reducer whose code ends the store starts no effects, and waiting actions are refused"
  )
  @MainActor
  func endsWhileReducing() async {
    let (end, ended) = (Later(), Gate())
    let store = ObservableStore(
      initialState: [String](),
      reducer: Reducer<[String], String, Void> { [log] state, action, _ in
        state.append(action)
        end()
        return .run { _ in log.append("ran") }
      },
      environment: ())
    end.set { [weak store] in
      MainActor.assumeIsolated {
        store?.send("waiting")
        Task.immediate {
          await store?.cancelAndFinish()
          ended.open()
        }
      }
    }
    let reported = await issues {
      await store.send("first").finish()
      await ended.wait()
    }
    #expect(store.state == ["first"])
    #expect(log.lines.isEmpty)
    #expect(reported.count == 1)
  }

  @Test("rule 42: a child store can't end its parent's, and says so")
  @MainActor
  func childStore() async {
    let store = ObservableStore(
      initialState: Pair(),
      reducer: Reducer<Pair, Int, Void> { state, number, _ in
        state.first = number
        return .none
      }, environment: ())
    let child = store.child(state: \.first) { $0 }
    let reported = await issues { await child.cancelAndFinish() }
    #expect(reported.count == 1)
    child.send(1)
    #expect(store.first == 1)
  }
}

private struct Pair: Equatable {
  var first = 0
}

@Suite("Waiting for what an action cancelled")
struct CancelledEffectTests {
  private enum Action: Sendable {
    case start
    case again
    case stop
    case stopLater
    case remove
    case child
    case record
  }

  private struct State: Sendable {
    var child: Int? = 0
    var isRecorded = false
  }

  private let started = Gate()
  private let log = Log()

  private func makeStore() -> Store<State, Action> {
    let effect = Effect<Action>.run { [started, log] send in
      started.open()
      await untilCancelled()
      await yield(10)
      log.append("ended")
    }
    let own = Reducer<State, Action, Void> { state, action, _ in
      switch action {
      case .start: return effect.cancellable(id: 1)
      case .again: return Effect.run { _ in }.cancellable(id: 1, cancelInFlight: true)
      case .stop: return .cancel(id: 1)
      case .stopLater:
        return .concatenate(.run { send in await send(.stop) }, .send(.record))
      case .remove: state.child = nil
      case .child: break
      case .record: state.isRecorded = true
      }
      return .none
    }
    let child = Reducer<Int, Void, Void> { _, _, _ in effect.map { _ in () } }
    let path = CasePath<Action, Void> {
      .child
    } extract: {
      if case .child = $0 { () } else { nil }
    }
    return Store(
      initialState: State(),
      reducer: .combine(
        child.optional().pullback(state: \.child, action: path, environment: { $0 }), own),
      environment: ())
  }

  @Test(
    "rule 42: finish waits for the effects that an action cancelled",
    arguments: ["stop", "again", "stopLater", "remove"])
  func waits(_ name: String) async {
    let store = makeStore()
    await store.send(name == "remove" ? .child : .start)
    await started.wait()
    let action: Action = ["stop": .stop, "again": .again, "remove": .remove][name] ?? .stopLater
    await store.send(action).finish()
    #expect(log.lines == ["ended"])
    #expect(await store.state.isRecorded == (name == "stopLater"))
  }

  @Test("a part that follows a cancellation doesn't wait for what was cancelled")
  func sequenceContinues() async {
    let goOn = Gate()
    let recorded = Gate()
    let store = Store(
      initialState: 0,
      reducer: Reducer<Int, Bool, Void> { [started, log] _, starts, _ in
        if starts {
          return .run { _ in
            started.open()
            await goOn.wait()
            log.append("ended")
          }.cancellable(id: 1)
        }
        return .concatenate(.cancel(id: 1), .run { _ in recorded.open() })
      },
      environment: ())
    await store.send(true)
    await started.wait()
    let stopping = await store.send(false)
    await recorded.wait()
    #expect(log.lines.isEmpty)
    goOn.open()
    await stopping.finish()
    #expect(log.lines == ["ended"])
  }
}
