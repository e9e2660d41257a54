import Observation
import Synchronization
import TestSupport
import Testing

@testable import ComposableReducers

@Suite("Bookkeeping of effects")
struct EffectBookkeepingTests {
  @Test("readers of states that have ended are forgotten", .enabled(if: Allocations.areCounted))
  func readers() {
    let readers = StateReaders<Int>()
    for _ in 0..<10 { _ = readers.add() }
    let blocks = Allocations { for _ in 0..<5_000 { _ = readers.add() } }.remaining
    #expect(blocks < 1_000)
  }

  /// Does something that is set later.
  private final class Later: Sendable {
    private let body = Mutex<(@Sendable () -> Void)?>(nil)
    func set(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }
    func callAsFunction() { body.withLock { $0 }?() }
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

  @Test("a child store's list notifies when the parent changes it")
  @MainActor
  func childrenOfChild() {
    struct Row: Equatable, Identifiable, Sendable { var id: Int }
    struct List: Equatable, Sendable { var rows: IdentifiedArray<Int, Row> = [Row(id: 1)] }
    struct App: Sendable { var list = List() }
    enum Action: Sendable { case add(Int) }
    let reducer = Reducer<App, Action, Void> { state, action, _ in
      switch action {
      case .add(let id): state.list.rows.append(Row(id: id))
      }
      return .none
    }
    let store = ObservableStore(initialState: App(), reducer: reducer, environment: ())
    let list = store.child(state: \.list, action: { (id: Int) in Action.add(id) })
    let timesNotified = Mutex(0)
    withObservationTracking {
      #expect(list.children(state: \.rows, action: { (id, _: Int) in id }).ids == [1])
    } onChange: {
      timesNotified.withLock { $0 += 1 }
    }
    store.send(.add(2))
    #expect(timesNotified.withLock { $0 } == 1)
  }

  @Test("an action that a part of an effect sends after the part has returned is reported")
  func lateActionOfPart() async {
    let hasReturned = Gate()
    let store = recordingStore { _ in
      .run { send in
        let late = try await send.withTaskCancellation(id: 1) { send in
          Task {
            await hasReturned.wait()
            await send(.record("late"))
          }
        }
        hasReturned.open()
        await late.value
      }
    }
    let reported = await issues { await store.send(.start(1)).finish() }
    #expect(reported.count == 1)
    #expect(reported.first?.problem.contains("after it ended") == true)
  }

  @Test("a closure is called when an action's effects have finished, at once if there is none")
  func whenFinished() async {
    let gate = Gate()
    let store = recordingStore { number in number == 0 ? .none : .run { _ in await gate.wait() } }
    let calls = Mutex(0)
    await store.send(.start(0)).whenFinished { calls.withLock { $0 += 1 } }
    #expect(calls.withLock { $0 } == 1)
    let task = await store.send(.start(1))
    #expect(task.effects.count == 1)
    task.whenFinished { calls.withLock { $0 += 1 } }
    #expect(calls.withLock { $0 } == 1)
    gate.open()
    await task.finish()
    #expect(task.effects.isEmpty)
    task.whenFinished { calls.withLock { $0 += 1 } }
    #expect(calls.withLock { $0 } == 3)
    await StoreTask(task) { _ in calls.withLock { $0 += 1 } }.finish()
    #expect(calls.withLock { $0 } == 4)
  }

  @Test("a sequence of a part's states skips the states in which the part is the same")
  func sameParts() async {
    struct Pair: Sendable {
      var first = 0
      var second = 0
    }
    let reducer = Reducer<Pair, Bool, Void> { pair, isFirst, _ in
      if isFirst { pair.first += 1 } else { pair.second += 1 }
      return .none
    }
    let store = Store(initialState: Pair(), reducer: reducer, environment: ())
    let hasBegun = Gate()
    let values = Task {
      var values: [Int] = []
      for await value in store.states(of: \.first) {
        values.append(value)
        hasBegun.open()
        if value == 1 { break }
      }
      return values
    }
    await hasBegun.wait()
    for _ in 0..<50 {
      await store.send(false)
      await Task.yield()
    }
    await store.send(true)
    #expect(await values.value == [0, 1])
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

  @Test("the identifier of a part is forgotten when the part has returned")
  func identifierOfPart() async {
    let store = recordingStore { _ in
      .run { send in try await send.withTaskCancellation(id: 1) { _ in } }
    }
    await store.send(.start(1)).finish()
    #expect(await store.isIdle)
  }
}
